import CFluidSynth

/// What a data entry has set that cannot be read from FluidSynth.
enum ParameterEntry: BitwiseCopyable {
  case nothing
  /// As ``BendRange`` counts.
  case bendRange(Int32)
  /// As ``EnteredParameters`` counts.
  case parameter(UInt8, UInt16)

  /// Finds out from a channel's selection and data, right after it received controller 6, or 38 where that
  /// enters data too.
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
        // Drums have no such depth, as General MIDI 2 asks; their banks begin at 128.
        if PresetNumber(askedOf: synth, channel: channel).bank >= 128 { return }
        self = .parameter(EnteredParameters.modulationDepthNumber, data)
      default: return
      }
    }
  }
}
