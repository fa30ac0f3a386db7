import FluidSynthEngine
import RenderCore

/// The indices and definitions of a FluidSynth instrument's parameters.
///
/// The ranges and defaults of the effects are FluidSynth's. The polyphony is a setting and not a parameter, because
/// its memory is allocated in advance.
enum SynthParameters {
  static var gain: Int { @_noLocks get { 0 } }
  static var tuning: Int { @_noLocks get { 1 } }
  static var reverb: Int { @_noLocks get { 2 } }
  static var room: Int { @_noLocks get { 3 } }
  static var damping: Int { @_noLocks get { 4 } }
  static var width: Int { @_noLocks get { 5 } }
  static var reverbLevel: Int { @_noLocks get { 6 } }
  static var chorus: Int { @_noLocks get { 7 } }
  static var voices: Int { @_noLocks get { 8 } }
  static var chorusLevel: Int { @_noLocks get { 9 } }
  static var speed: Int { @_noLocks get { 10 } }
  static var depth: Int { @_noLocks get { 11 } }
  /// `bank` and `program` do not exist if the instrument plays only one preset.
  static var bank: Int { @_noLocks get { 12 } }
  static var program: Int { @_noLocks get { 13 } }

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
      Parameter("reverb.width", "Width", 0...100, default: Float(defaults.width)),
      Parameter("reverb.level", "Level", 0...1, default: Float(defaults.reverbLevel)),
      Parameter(toggle: "chorus.on", "Chorus", default: effects.chorus),
      Parameter("chorus.voices", "Voices", 0...99, default: Float(defaults.voices), unit: .index),
      Parameter("chorus.level", "Level", 0...10, default: Float(defaults.chorusLevel)),
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
  init(_ preset: SoundFontPreset) {
    self.init(
      preset.name,
      [
        "preset.bank": Float(preset.selection.bank),
        "preset.program": Float(preset.selection.program),
      ])
  }
}
