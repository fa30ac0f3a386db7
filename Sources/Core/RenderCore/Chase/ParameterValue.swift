/// The value of a registered parameter after data entry, as each version of FluidSynth interprets it. A chase restores
/// all of these values.
///
/// Source: FluidSynth 2.3.1, 2.4.4, 2.5.0 and 2.6.0, `fluid_synth_cc_LOCAL`.
struct ParameterValue: BitwiseCopyable {
  /// The value before version 2.4: CC 6 sets it together with the last CC 38 for any parameter. CC 38 alone sets
  /// nothing.
  var atCoarse: ControllerPair
  /// The value in versions 2.4 and 2.5: CC 6 and CC 38 both set it, each with the last value of the other.
  var atEither: ControllerPair
  /// The value since version 2.6: selecting the parameter sets both halves to 0.
  var sinceSelection: ControllerPair

  @_noLocks init(_ value: ControllerPair) {
    atCoarse = value
    atEither = value
    sinceSelection = value
  }

  @_noLocks func isSame(as other: Self) -> Bool {
    atCoarse.isSame(as: other.atCoarse) && atEither.isSame(as: other.atEither)
      && sinceSelection.isSame(as: other.sinceSelection)
  }
}

/// The parameter that data entry sets.
struct ParameterSelection: BitwiseCopyable {
  /// CC 101 and CC 100.
  var coarse: UInt8 = 127
  var fine: UInt8 = 127
  /// Whether they came after CC 99 and CC 98, which select a non-registered parameter.
  var isRegistered = true

  @_noLocks init() {}

  @_noLocks init(coarse: UInt8, fine: UInt8) {
    self.coarse = coarse
    self.fine = fine
  }

  /// The number of the registered parameter, if it is tracked; `nil` for any other parameter.
  var registered: Int? {
    @_noLocks get {
      isRegistered && coarse == 0 && Int(fine) < ChannelChase.parameterCount ? Int(fine) : nil
    }
  }

  @_noLocks func isSame(as other: Self) -> Bool {
    coarse == other.coarse && fine == other.fine && isRegistered == other.isRegistered
  }
}
