import CFluidSynth
import FluidSynthEngine
import RenderCore

/// What an engine was last told by parameters, so that it is told only what is new.
///
/// Realtime: yes, but for making it.
struct SynthControls: BitwiseCopyable {
  private var tuning: Float
  private var effects: Effects
  private var reverb: ReverbValues
  private var chorus: ChorusValues
  private var preset = PresetNumber(bank: 0, program: 0)
  private let choosesPreset: Bool
  private let defaults = EffectDefaults.shared

  /// What an engine does that nobody has told anything yet.
  init(_ values: ParameterValues, choosesPreset: Bool) {
    tuning = values[SynthParameters.tuning]
    effects = Effects(values)
    reverb = ReverbValues(values)
    chorus = ChorusValues(values)
    self.choosesPreset = choosesPreset
  }

  /// Tells the engine what the parameters are at the frame that it has reached.
  @_noLocks mutating func tell(_ engine: Engine, _ values: ParameterValues) {
    if values[SynthParameters.tuning] != tuning {
      tuning = values[SynthParameters.tuning]
      engine.tune(tuning)
    }
    let effects = Effects(values)
    if effects.reverb != self.effects.reverb || effects.chorus != self.effects.chorus {
      self.effects = effects
      engine.turn(effects)
    }
    tellEffects(engine, values)
    if !choosesPreset { return }
    let preset = PresetNumber(values)
    if !(preset == self.preset) {
      self.preset = preset
      engine.select(bank: preset.bank, program: preset.program)
    }
  }

  @_noLocks private mutating func tellEffects(_ engine: Engine, _ values: ParameterValues) {
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

  /// Lets the parameters follow a program change on the first channel.
  @_noLocks mutating func followPreset(_ engine: Engine, _ values: inout ParameterValues) {
    if !choosesPreset { return }
    let asked = PresetNumber(askedOf: engine.synth, channel: 0)
    if asked == preset { return }
    preset = asked
    let (bank, program) = (SynthParameters.bank, SynthParameters.program)
    values.apply(ParameterChange(offset: 0, index: UInt32(bank), value: Float(asked.bank)))
    values.apply(ParameterChange(offset: 0, index: UInt32(program), value: Float(asked.program)))
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

  /// What the parameters are set to. Realtime: no.
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
