import CFluidSynth

/// The values that a channel has received by data entry and for which FluidSynth has no getter.
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

/// A value set by data entry for which FluidSynth has no getter.
enum ParameterEntry: BitwiseCopyable {
  case nothing
  /// In the units of ``BendRange``.
  case bendRange(Int32)
  /// A parameter of ``EnteredParameters`` and its value.
  case parameter(UInt8, UInt16)

  /// Determines the entry from the selection and data controllers of a channel. Must be called directly
  /// after the channel has received controller 6, or 38 if the library enters data with it.
  ///
  /// - Parameter isNRPN: Whether a non-registered parameter was selected last.
  @_noLocks init(
    of synth: OpaquePointer, channel: Int32, isNRPN: Bool, _ library: LibraryProbe
  ) {
    @_noLocks func controller(_ number: Int32) -> Int32 {
      var value: Int32 = 0
      fluid_synth_get_cc(synth, channel, number, &value)
      return value
    }
    let (upper, lower) = (controller(6), controller(38))
    let data = UInt16(truncatingIfNeeded: upper << 7 | lower)
    self = .nothing
    if isNRPN {
      let effect = UInt8(truncatingIfNeeded: controller(98))
      guard library.hasAWE32Parameters, controller(99) == 127, effect < 27,
        EnteredParameters.keeps(effect)
      else { return }
      self = .parameter(effect, data)
    } else if controller(101) == 0 {
      switch controller(100) {
      case 0: self = .bendRange(upper << 7 | (library.hasBendRangeCents ? lower : 0))
      case 5 where library.acceptsDataEntryLSB:
        // FluidSynth ignores modulation depth on drum channels, as General MIDI 2 requires. Their banks begin at 128.
        if PresetNumber(askedOf: synth, channel: channel).bank >= 128 { return }
        self = .parameter(EnteredParameters.modulationDepthNumber, data)
      default: return
      }
    }
  }
}
