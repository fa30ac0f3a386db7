import CFluidSynth
import RenderCore

/// Channel state for which FluidSynth has no getter. It is tracked for the state that hosts save.
struct StockChannel: BitwiseCopyable {
  private var isNRPN = false
  /// In the units of ``BendRange``. Outdated if its semitones differ from the synth's, which may have been
  /// set otherwise.
  private(set) var bendRange = BendRange.standard
  private(set) var parameters = EnteredParameters()

  @_noLocks init() {}

  @_noLocks init(bendRange: Int32, parameters: EnteredParameters) {
    self.bendRange = bendRange
    self.parameters = parameters
  }

  /// Tracks a controller that the synth has just received.
  @_noLocks mutating func track(
    _ number: UInt8, _ synth: OpaquePointer, channel: Int32, _ library: LibraryProbe
  ) {
    switch number {
    case 98, 99: isNRPN = true
    case 100, 101: isNRPN = false
    case Controller.resetAll: parameters.resetControllers()
    case _ where library.enters(data: number):
      let entry = ParameterEntry(of: synth, channel: channel, isNRPN: isNRPN, library)
      switch entry {
      case .nothing: return
      case .bendRange(let range): bendRange = range
      case .parameter(let number, let value): parameters.enter(number, value)
      }
    default: return
    }
  }
}
