import Effects
import FluidSynthEngine
import RenderCore

/// A unit and the load under which it is measured.
struct UnitLoad {
  let name: String
  let source: any RenderUnitSource
  var inputChannels = 0
  /// The number of keys that are held down.
  var keys = 0
  /// Parameters that ramp continuously from one end of their range to the other.
  var ramps: [String] = []

  static func all(_ font: Bench.SoundFont) throws -> [UnitLoad] {
    let font = try SoundFont.open(font.path)
    // Program 48 (string ensemble) sounds as long as its keys are down.
    var strings = InstrumentSettings()
    strings.preset = PresetSelection(bank: 0, program: 48)
    let synth = InstrumentSource(soundFont: font, settings: strings)
    let layer = LayerSource(soundFont: font, settings: strings)
    return [
      UnitLoad(name: "synth, silent", source: synth),
      UnitLoad(name: "synth, 16 notes", source: synth, keys: 16),
      UnitLoad(name: "layer, 16 notes", source: layer, inputChannels: 2, keys: 16),
      UnitLoad(name: "resonator, 16 keys", source: ResonatorSource(), inputChannels: 2, keys: 16),
      UnitLoad(name: "delay", source: DelaySource(), inputChannels: 2),
      UnitLoad(
        name: "delay, time and mix ramping", source: DelaySource(), inputChannels: 2,
        ramps: ["time.beats", "mix"]),
      UnitLoad(name: "metronome", source: MetronomeSource()),
    ]
  }
}
