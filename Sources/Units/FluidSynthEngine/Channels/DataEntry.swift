import CFluidSynth

/// The values that a channel has received by data entry and for which FluidSynth has no getter.
struct DataEntry: BitwiseCopyable {
  /// Whether data entry sets a non-registered parameter.
  private var isNRPN = false
  /// Whether controller 6 has been received since a non-registered parameter was selected.
  private var isEntered = false
  /// In the units of ``BendRange``. Outdated if its semitones differ from the synth's, which may have been
  /// set otherwise.
  var bendRange = BendRange.standard
  var parameters = EnteredParameters()

  @_noLocks init() {}

  @_noLocks init(bendRange: Int32, parameters: EnteredParameters) {
    self.bendRange = bendRange
    self.parameters = parameters
  }

  /// Sends a controller to a synth, so that every library enters the parameters of SoundFonts alike.
  ///
  /// A value of non-registered parameter 120/n is complete with controller 6, which follows controller 38 (SoundFont 2.04,
  /// section 9.6.2). FluidSynth 2.4.0 to 2.4.4 enters the value of controller 38 alone, and then deselects the parameter.
  /// With these, the controller is sent while nothing is selected, which only stores it.
  ///
  /// Must be called before ``follow(_:_:channel:_:)``.
  ///
  /// - Returns: Whether the synth accepted the controller.
  @_noLocks mutating func send(
    _ number: UInt8, _ value: UInt8, to synth: OpaquePointer, channel: Int32,
    _ library: LibraryProbe
  ) -> Bool {
    switch number {
    case 98, 99: isEntered = false
    case Controller.dataEntryMSB: isEntered = true
    case Controller.dataEntryLSB where library.entersIncompleteParameters && isNRPN:
      let (upper, lower) = (synth.controller(99, channel), synth.controller(98, channel))
      if upper != 120 || lower >= 100 { break }
      let registered = (synth.controller(101, channel), synth.controller(100, channel))
      fluid_synth_cc(synth, channel, 101, 127)
      fluid_synth_cc(synth, channel, 38, Int32(value))
      fluid_synth_cc(synth, channel, 101, registered.0)
      fluid_synth_cc(synth, channel, 100, registered.1)
      // The library selects no parameter after controller 99, as after controller 6.
      fluid_synth_cc(synth, channel, 99, upper)
      if !isEntered { fluid_synth_cc(synth, channel, 98, lower) }
      return true
    default: break
    }
    return fluid_synth_cc(synth, channel, Int32(number), Int32(value)) == FLUID_OK
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
    let (upper, lower) = (synth.controller(6, channel), synth.controller(38, channel))
    let data = UInt16(truncatingIfNeeded: upper << 7 | lower)
    self = .nothing
    if isNRPN {
      let effect = UInt8(truncatingIfNeeded: synth.controller(98, channel))
      guard library.hasAWE32Parameters, synth.controller(99, channel) == 127, effect < 27,
        EnteredParameters.keeps(effect)
      else { return }
      self = .parameter(effect, data)
    } else if synth.controller(101, channel) == 0 {
      switch synth.controller(100, channel) {
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

extension OpaquePointer {
  /// The value of a controller of a synth's channel.
  @_noLocks fileprivate func controller(_ number: Int32, _ channel: Int32) -> Int32 {
    var value: Int32 = 0
    fluid_synth_get_cc(self, channel, number, &value)
    return value
  }
}
