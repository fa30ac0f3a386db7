import CFluidSynth
import RenderCore

/// The parameter values that an engine was last given, so that only changes are applied.
///
/// Realtime: yes, except for creation.
struct SynthControls: BitwiseCopyable {
  private var tuning: Float
  private var offsets = GeneratorOffsets.Values(repeating: 0)
  private var playing = SoundModule.Playing()
  private var effects: Effects
  private var reverb: ReverbValues
  private var chorus: ChorusValues
  private var preset = PresetNumber(bank: 0, program: 0)
  private let choosesPreset: Bool
  private let choosesStyle: Bool
  private var style = 0
  private var polyphony = 0
  private let polyphonyIndex: Int?

  /// Starts from the values of a new engine.
  init(_ values: ParameterValues, _ settings: InstrumentSettings) {
    tuning = values[.tuning]
    effects = Effects(values)
    reverb = ReverbValues(values)
    chorus = ChorusValues(values)
    choosesPreset = settings.preset == nil
    choosesStyle = choosesPreset && settings.bankStyle != .library
    polyphonyIndex = SynthParameter.polyphonyIndex(settings)
    polyphony = settings.polyphony
    playing.style = settings.bankStyle
    if choosesStyle { style = Int(values[.style]) }
  }

  /// Applies the parameter values of the current frame to the engine.
  @_noLocks mutating func apply(_ values: ParameterValues, to engine: Engine) {
    if values[.tuning] != tuning {
      tuning = values[.tuning]
      engine.tune(tuning)
    }
    applyOffsets(values, to: engine)
    applyPlaying(values, to: engine)
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

  @_noLocks private mutating func applyOffsets(_ values: ParameterValues, to engine: Engine) {
    for index in 0..<GeneratorOffsets.count {
      let value = values[SynthParameter.attack.index + index]
      if value == offsets[index] { continue }
      offsets[index] = value
      engine.setOffset(index, to: value * Self.generatorUnits(of: index))
    }
  }

  /// The number of a generator's units in one of the parameter's. The generators of sustain, which is an attenuation, and
  /// resonance are in centibels.
  @_noLocks private static func generatorUnits(of index: Int) -> Float {
    switch index + SynthParameter.attack.index {
    case SynthParameter.sustain.index: -10
    case SynthParameter.resonance.index: 10
    default: 1
    }
  }

  @_noLocks private mutating func applyPlaying(_ values: ParameterValues, to engine: Engine) {
    let transposition = Int8(values[.transposition])
    let curve = UInt8(values[.velocityCurve])
    let style = choosesStyle ? Int(values[.style]) : 0
    if transposition != playing.transposition || curve != playing.velocityCurve
      || style != self.style
    {
      playing.transposition = transposition
      playing.velocityCurve = curve
      if style != self.style { playing.style = BankStyle(parameter: style) }
      self.style = style
      engine.setPlaying(playing)
    }
    guard let polyphonyIndex else { return }
    let notes = Int(values[polyphonyIndex])
    if notes == polyphony { return }
    polyphony = notes
    engine.setPolyphony(notes)
  }

  @_noLocks private mutating func applyEffects(_ values: ParameterValues, to engine: Engine) {
    let reverb = ReverbValues(values)
    if !(reverb == self.reverb) {
      self.reverb = reverb
      engine.setReverb(reverb)
    }
    let chorus = ChorusValues(values)
    if !(chorus == self.chorus) {
      self.chorus = chorus
      engine.setChorus(chorus)
    }
  }

  /// Updates the preset parameters after a program change on the first channel.
  ///
  /// - Parameter keepingNew: Whether those that other threads have just set remain, to be applied.
  @_noLocks mutating func trackPreset(
    _ engine: Engine, _ values: inout ParameterValues, keepingNew: Bool = false
  ) {
    if !choosesPreset { return }
    let selected = engine.requestedPreset(of: 0)
    if selected == preset { return }
    preset = selected
    if !keepingNew || !values.isNew(SynthParameter.bank.index) {
      set(.bank, to: selected.bank, in: &values)
    }
    if !keepingNew || !values.isNew(SynthParameter.program.index) {
      set(.program, to: selected.program, in: &values)
    }
  }

  @_noLocks private func set(
    _ parameter: SynthParameter, to value: Int32, in values: inout ParameterValues
  ) {
    let index = UInt32(parameter.index)
    values.apply(ParameterChange(offset: 0, index: index, value: Float(value)))
  }
}

extension Effects {
  @_noLocks fileprivate init(_ values: ParameterValues) {
    self.init(
      reverb: values[.reverb] != 0, chorus: values[.chorus] != 0)
  }
}

extension BankStyle {
  /// The style of a parameter's value, which is its place among ``SynthParameter/styles``.
  @_noLocks fileprivate init(parameter value: Int) {
    switch value {
    case 1: self = .gs
    case 2: self = .gm
    case 3: self = .gm2
    case 4: self = .xg
    case 5: self = .mma
    default: self = .auto
    }
  }
}

extension ReverbValues {
  @_noLocks fileprivate init(_ values: ParameterValues) {
    self.init(
      room: values[.room], damping: values[.damping],
      width: values[.width], level: values[.reverbLevel])
  }

  /// Reads the current values of the reverb parameters. Realtime: no.
  init(_ parameters: ParameterStore) {
    self.init(
      room: parameters.value(.room),
      damping: parameters.value(.damping),
      width: parameters.value(.width),
      level: parameters.value(.reverbLevel))
  }
}

extension ChorusValues {
  @_noLocks fileprivate init(_ values: ParameterValues) {
    self.init(
      voices: Int32(values[.voices]), level: values[.chorusLevel],
      speed: values[.speed], depth: values[.depth])
  }
}

extension PresetNumber {
  @_noLocks fileprivate init(_ values: ParameterValues) {
    self.init(
      bank: Int32(values[.bank]), program: Int32(values[.program]))
  }
}
