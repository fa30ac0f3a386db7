import CFluidSynth

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
