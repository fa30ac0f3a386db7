import CFluidSynth

/// What a channel has received by data entry and FluidSynth has no getter for.
struct DataEntry: BitwiseCopyable {
  /// Whether data entry sets a non-registered parameter.
  private var isNRPN = false
  /// In the units of ``BendRange``. Outdated if its semitones differ from the synth's, which may have been
  /// set otherwise.
  var bendRange = BendRange.standard
  var parameters = EnteredParameters()

  @_noLocks init() {}

  @_noLocks init(bendRange: Int32, parameters: EnteredParameters) {
    self.bendRange = bendRange
    self.parameters = parameters
  }

  /// Follows a controller that the synth has just received.
  ///
  /// - Returns: The value that has changed.
  @_noLocks mutating func follow(
    _ number: UInt8, _ synth: OpaquePointer, channel: Int32, _ library: LibraryProbe
  ) -> ParameterEntry {
    switch number {
    case 98, 99: isNRPN = true
    case 100, 101: isNRPN = false
    case _ where library.enters(data: number):
      let entry = ParameterEntry(of: synth, channel: channel, isNRPN: isNRPN, library)
      switch entry {
      case .nothing: break
      case .bendRange(let range):
        if bendRange == range { return .nothing }
        bendRange = range
      case .parameter(let number, let value): parameters.enter(number, value)
      }
      return entry
    default: break
    }
    return .nothing
  }

  /// Whether controller 6 sets a registered parameter.
  var isRegistered: Bool { @_noLocks get { !isNRPN } }
}
