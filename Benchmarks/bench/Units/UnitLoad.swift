import Effects
import FluidSynthEngine
import FluidSynthUnits
import RenderCore

/// A unit, and what it has to do while its cost is taken.
struct UnitLoad {
  let name: String
  let source: any RenderUnitSource
  var inputChannels = 0
  /// Keys that are held down.
  var keys = 0
  /// Parameters that are on their way from one end of their range to the other, all the time.
  var ramps: [String] = []

  static func all(_ font: Bench.SoundFont) throws -> [UnitLoad] {
    let font = try SoundFont.open(font.path)
    // They sound as long as their keys are down.
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
