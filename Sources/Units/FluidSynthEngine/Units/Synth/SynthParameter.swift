package import RenderCore

/// The indices and definitions of a FluidSynth instrument's parameters.
///
/// The ranges and defaults of the effects are FluidSynth's, except that the width ends at 1, which is full stereo:
/// FluidSynth accepts up to 100, which would leave a hundredth of a control for what is useful.
enum SynthParameter: Int {
  case gain, tuning, transposition, velocityCurve
  /// The offsets of generators, in the order of ``GeneratorOffsets``.
  case attack, decay, sustain, release, cutoff, resonance, vibratoDepth, vibratoRate, vibratoDelay
  case reverb, room, damping, width, reverbLevel, chorus, voices, chorusLevel, speed, depth
  /// These do not exist if the instrument plays only one preset.
  case bank, program, style

  /// The index in ``ParameterValues``.
  var index: Int { @_noLocks get { rawValue } }

  static let groups = [
    ParameterTree.Group("envelope", "Envelope"), ParameterTree.Group("filter", "Filter"),
    ParameterTree.Group("vibrato", "Vibrato"),
    ParameterTree.Group("reverb", "Reverb"), ParameterTree.Group("chorus", "Chorus"),
    ParameterTree.Group("preset", "Preset"),
  ]

  /// Returns the parameters in the order of their indices.
  static func parameters(_ settings: InstrumentSettings) -> [Parameter] {
    let effects = settings.effects
    let defaults = EffectDefaults.shared
    let sound = [
      Parameter("gain", "Gain", -96...24, default: 0, unit: .decibels),
      Parameter("tuning", "Tuning", -1200...1200, default: 0, unit: .cents),
      Parameter("transposition", "Transpose", -24...24, default: 0, unit: .index),
      Parameter(
        choice: "velocity-curve", "Velocity Curve", of: ["linear", "soft", "hard"], default: 0),
      Parameter("envelope.attack", "Attack", -12_000...12_000, default: 0, unit: .cents),
      Parameter("envelope.decay", "Decay", -12_000...12_000, default: 0, unit: .cents),
      Parameter("envelope.sustain", "Sustain", -96...96, default: 0, unit: .decibels),
      Parameter("envelope.release", "Release", -12_000...12_000, default: 0, unit: .cents),
      Parameter("filter.cutoff", "Cutoff", -9600...9600, default: 0, unit: .cents),
      Parameter("filter.resonance", "Resonance", -40...40, default: 0, unit: .decibels),
      Parameter("vibrato.depth", "Vibrato Depth", -600...600, default: 0, unit: .cents),
      Parameter("vibrato.rate", "Vibrato Rate", -3600...3600, default: 0, unit: .cents),
      Parameter("vibrato.delay", "Vibrato Delay", -12_000...12_000, default: 0, unit: .cents),
      Parameter(toggle: "reverb.on", "Reverb", default: effects.reverb),
      Parameter("reverb.room", "Room Size", 0...1, default: Float(defaults.room)),
      Parameter("reverb.damping", "Damping", 0...1, default: Float(defaults.damping)),
      Parameter("reverb.width", "Width", 0...1, default: Float(defaults.width)),
      Parameter("reverb.level", "Reverb Level", 0...1, default: Float(defaults.reverbLevel)),
      Parameter(toggle: "chorus.on", "Chorus", default: effects.chorus),
      Parameter("chorus.voices", "Voices", 0...99, default: Float(defaults.voices), unit: .index),
      Parameter("chorus.level", "Chorus Level", 0...10, default: Float(defaults.chorusLevel)),
      Parameter("chorus.speed", "Speed", 0.1...5, default: Float(defaults.speed), unit: .hertz),
      Parameter(
        "chorus.depth", "Depth", 0...21, default: Float(defaults.depth), unit: .milliseconds),
    ]
    return sound + (settings.preset == nil ? presetParameters(settings) : [])
      + (settings.timing == .exact ? [polyphony(settings)] : [])
  }

  private static func presetParameters(_ settings: InstrumentSettings) -> [Parameter] {
    let selection = [
      Parameter("preset.bank", "Bank", 0...16_383, default: 0, unit: .index),
      Parameter("preset.program", "Program", 0...127, default: 0, unit: .index),
    ]
    guard let style = styles.firstIndex(of: settings.bankStyle) else { return selection }
    return selection + [
      Parameter(
        choice: "preset.bank-style", "Bank Style", of: styles.map(\.rawValue), default: style)
    ]
  }

  /// The values of ``style``, which does not exist in an instrument of the style `library`, because that decides what the library
  /// receives.
  private static let styles = BankStyle.allCases.filter { $0 != .library }

  /// The memory for the notes is allocated in advance, so the polyphony of the settings is the greatest.
  ///
  /// It is the last parameter, and does not exist in `stock` timing, where FluidSynth allocates memory when it changes.
  private static func polyphony(_ settings: InstrumentSettings) -> Parameter {
    Parameter(
      "polyphony", "Polyphony", 1...Float(settings.polyphony), default: Float(settings.polyphony),
      unit: .index)
  }

  /// The index of the polyphony; `nil` if the instrument has no such parameter.
  static func polyphonyIndex(_ settings: InstrumentSettings) -> Int? {
    settings.timing == .exact ? parameters(settings).count - 1 : nil
  }
}

extension Preset {
  /// Converts a preset of a SoundFont to values of the parameters that select it.
  package init(_ preset: SoundFontPreset) {
    self.init(
      preset.name,
      [
        "preset.bank": Float(preset.selection.bank),
        "preset.program": Float(preset.selection.program),
      ])
  }
}

extension ParameterValues {
  @_noLocks subscript(parameter: SynthParameter) -> Float { self[parameter.index] }
}

extension ParameterStore {
  func value(_ parameter: SynthParameter) -> Float { value(parameter.index) }
}
