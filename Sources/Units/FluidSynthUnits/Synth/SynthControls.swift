import CFluidSynth
import FluidSynthEngine
import RenderCore

/// The parameter values that an engine was last given, so that only changes are applied.
///
/// Realtime: yes, except for creation.
struct SynthControls: BitwiseCopyable {
  private var tuning: Float
  private var effects: Effects
  private var reverb: ReverbValues
  private var chorus: ChorusValues
  private var preset = PresetNumber(bank: 0, program: 0)
  private let choosesPreset: Bool
  private let defaults = EffectDefaults.shared

  /// Starts from the values of a new engine.
  init(_ values: ParameterValues, choosesPreset: Bool) {
    tuning = values[SynthParameters.tuning]
    effects = Effects(values)
    reverb = ReverbValues(values)
    chorus = ChorusValues(values)
    self.choosesPreset = choosesPreset
  }

  /// Applies the parameter values of the current frame to the engine.
  @_noLocks mutating func apply(_ values: ParameterValues, to engine: Engine) {
    if values[SynthParameters.tuning] != tuning {
      tuning = values[SynthParameters.tuning]
      engine.tune(tuning)
    }
    let effects = Effects(values)
    if effects.reverb != self.effects.reverb || effects.chorus != self.effects.chorus {
      self.effects = effects
      engine.setEffects(effects)
    }
    applyEffects(values, to: engine)
    if !choosesPreset { return }
    let preset = PresetNumber(values)
    if !(preset == self.preset) {
      self.preset = preset
      engine.select(bank: preset.bank, program: preset.program)
    }
  }

  @_noLocks private mutating func applyEffects(_ values: ParameterValues, to engine: Engine) {
    guard let synths = engine.effectSynths else { return }
    let reverb = ReverbValues(values)
    if !(reverb == self.reverb) {
      self.reverb = reverb
      reverb.set(in: synths.reverb, defaults)
    }
    let chorus = ChorusValues(values)
    if !(chorus == self.chorus) {
      self.chorus = chorus
      chorus.set(in: synths.chorus, defaults)
    }
  }

  /// Updates the preset parameters after a program change on the first channel.
  @_noLocks mutating func trackPreset(_ engine: Engine, _ values: inout ParameterValues) {
    if !choosesPreset { return }
    let selected = PresetNumber(askedOf: engine.synth, channel: 0)
    if selected == preset { return }
    preset = selected
    let (bank, program) = (SynthParameters.bank, SynthParameters.program)
    values.apply(ParameterChange(offset: 0, index: UInt32(bank), value: Float(selected.bank)))
    values.apply(ParameterChange(offset: 0, index: UInt32(program), value: Float(selected.program)))
  }
}

extension Effects {
  @_noLocks fileprivate init(_ values: ParameterValues) {
    self.init(
      reverb: values[SynthParameters.reverb] != 0, chorus: values[SynthParameters.chorus] != 0)
  }
}

extension ReverbValues {
  @_noLocks fileprivate init(_ values: ParameterValues) {
    self.init(
      room: values[SynthParameters.room], damping: values[SynthParameters.damping],
      width: values[SynthParameters.width], level: values[SynthParameters.reverbLevel])
  }

  /// Reads the current values of the reverb parameters. Realtime: no.
  init(_ parameters: ParameterStore) {
    self.init(
      room: parameters.value(SynthParameters.room),
      damping: parameters.value(SynthParameters.damping),
      width: parameters.value(SynthParameters.width),
      level: parameters.value(SynthParameters.reverbLevel))
  }
}

extension ChorusValues {
  @_noLocks fileprivate init(_ values: ParameterValues) {
    self.init(
      voices: Int32(values[SynthParameters.voices]), level: values[SynthParameters.chorusLevel],
      speed: values[SynthParameters.speed], depth: values[SynthParameters.depth])
  }
}

extension PresetNumber {
  @_noLocks fileprivate init(_ values: ParameterValues) {
    self.init(
      bank: Int32(values[SynthParameters.bank]), program: Int32(values[SynthParameters.program]))
  }
}
