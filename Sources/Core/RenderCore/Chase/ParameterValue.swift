/// What data entry has set a parameter to, as each version of FluidSynth understands it. A chase tells all of them
/// the same again.
///
/// Source: FluidSynth 2.3.1, 2.4.4, 2.5.0 and 2.6.0, `fluid_synth_cc_LOCAL`.
struct ParameterValue: BitwiseCopyable {
  /// Before 2.4, CC 6 enters it together with the last CC 38, whichever parameter that was for. CC 38 enters
  /// nothing.
  var atCoarse: ControllerPair
  /// In 2.4 and 2.5, both enter it, each with the last of the other.
  var atEither: ControllerPair
  /// Since 2.6, a selection sets both to 0.
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

/// The parameter that data entry is for.
struct ParameterSelection: BitwiseCopyable {
  /// CC 101 and CC 100.
  var coarse: UInt8 = 127
  var fine: UInt8 = 127
  /// Whether they came after CC 99 and CC 98, which select a parameter that is not registered.
  var isRegistered = true

  @_noLocks init() {}

  @_noLocks init(coarse: UInt8, fine: UInt8) {
    self.coarse = coarse
    self.fine = fine
  }

  /// The number of a parameter that is followed; `nil` of any other.
  var registered: Int? {
    @_noLocks get {
      isRegistered && coarse == 0 && Int(fine) < ChannelChase.parameterCount ? Int(fine) : nil
    }
  }

  @_noLocks func isSame(as other: Self) -> Bool {
    coarse == other.coarse && fine == other.fine && isRegistered == other.isRegistered
  }
}
