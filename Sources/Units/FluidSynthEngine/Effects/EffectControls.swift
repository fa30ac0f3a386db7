import RenderCore

/// The values of the effects: those that the unit's parameters set, multiplied by those that System Exclusive sets.
///
/// Realtime: yes, except for creation.
struct EffectControls: BitwiseCopyable {
  private var reverb: ReverbValues
  private var chorus: ChorusValues
  private var factors = ModuleSettings.EffectFactors()
  private let defaults = EffectDefaults.shared

  init() {
    reverb = defaults.reverb
    chorus = defaults.chorus
  }

  @_noLocks mutating func setReverb(_ values: ReverbValues, in synth: OpaquePointer) {
    reverb = values
    applyReverb(to: synth)
  }

  @_noLocks mutating func setChorus(_ values: ChorusValues, in synth: OpaquePointer) {
    chorus = values
    applyChorus(to: synth)
  }

  /// Sets what has changed. The chorus restarts its modulation only then.
  @_noLocks mutating func setFactors(
    _ factors: ModuleSettings.EffectFactors, reverb: OpaquePointer, chorus: OpaquePointer
  ) {
    let before = self.factors
    self.factors = factors
    if factors.reverbTime != before.reverbTime || factors.reverbLevel != before.reverbLevel {
      applyReverb(to: reverb)
    }
    if factors.chorusLevel != before.chorusLevel || factors.chorusRate != before.chorusRate
      || factors.chorusDepth != before.chorusDepth
    {
      applyChorus(to: chorus)
    }
  }

  @_noLocks private func applyReverb(to synth: OpaquePointer) {
    var values = reverb
    values.room = min(1, values.room * factors.reverbTime)
    values.level = factors.reverbTime == 0 ? 0 : min(1, values.level * factors.reverbLevel)
    values.set(in: synth, defaults)
  }

  @_noLocks private func applyChorus(to synth: OpaquePointer) {
    var values = chorus
    values.level = min(10, values.level * factors.chorusLevel)
    values.speed = max(0.1, min(5, values.speed * factors.chorusRate))
    values.depth = min(21, values.depth * factors.chorusDepth)
    values.set(in: synth, defaults)
  }
}
