package import RenderCore

/// The indices and definitions of a FluidSynth instrument's parameters.
///
/// The ranges and defaults of the effects are FluidSynth's, except that the width ends at 1, which is full stereo:
/// FluidSynth accepts up to 100, which would leave a hundredth of a control for what is useful. The polyphony is a setting
/// and not a parameter, because its memory is allocated in advance.
enum SynthParameter: Int {
  case gain, tuning, reverb, room, damping, width, reverbLevel, chorus, voices, chorusLevel, speed,
    depth
  /// `bank` and `program` do not exist if the instrument plays only one preset.
  case bank, program

  /// The index in ``ParameterValues``.
  var index: Int { @_noLocks get { rawValue } }

  static let groups = [
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
    if settings.preset != nil { return sound }
    return sound + [
      Parameter("preset.bank", "Bank", 0...16_383, default: 0, unit: .index),
      Parameter("preset.program", "Program", 0...127, default: 0, unit: .index),
    ]
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
