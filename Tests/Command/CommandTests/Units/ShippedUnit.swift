import Effects
import FluidSynthEngine
import ProgramTestSupport
import RenderCore
import TestSupport

/// The units that come with Portative: their configurations, instances in this process, and test input.
enum ShippedUnit: String, CaseIterable {
  case synth, layer, resonator, delay, metronome

  static let effects = [Self.layer, .resonator, .delay]

  var inputs: Int { Self.effects.contains(self) ? 2 : 0 }
  var portName: String { "Test: \(rawValue)" }

  func port(_ effects: Effects = Effects()) -> String {
    let common = #"name: "\#(portName)", subtype: "\#(rawValue.prefix(4))", unit: "\#(rawValue)""#
    return "{ \(common), reverb: \(effects.reverb), chorus: \(effects.chorus) }"
  }

  func source(_ effects: Effects = Effects()) throws -> any RenderUnitSource {
    let settings = InstrumentSettings(effects: effects)
    return switch self {
    case .synth: InstrumentSource(soundFont: try .open(bundledSoundFont), settings: settings)
    case .layer: LayerSource(soundFont: try .open(bundledSoundFont), settings: settings)
    case .resonator: ResonatorSource()
    case .delay: DelaySource()
    case .metronome: MetronomeSource()
    }
  }

  /// Notes and parameter changes within one second.
  var part: Performance.Part {
    var part = Performance.Part()
    switch self {
    case .synth:
      part = Performance.chords(48_000)
      part.set("gain", -9, at: 5000, over: 3001)
      part.set("reverb.level", 0.4, at: 7001)
      part.set("tuning", 30, at: 12_345)
    case .layer:
      for key in [50, 57, 62] as [UInt8] { part.note(key, at: Int(key) * 251, for: 8000) }
      part.set("duck.amount", 12, at: 3, over: 100)
      part.set("input.level", -6, at: 20_001, over: 3000)
      part.set("chorus.on", 0, at: 22_222)
    case .resonator:
      for key in [33, 45, 57, 62] as [UInt8] { part.note(key, at: Int(key) * 317, for: 9000) }
      part.set("decay", 5, at: 15_000, over: 4000)
      part.set("mix", 90, at: 20_001)
    case .delay:
      part.set("feedback", 80, at: 1000, over: 500)
      part.set("ping-pong", 1, at: 7000)
      part.set("time.beats", 0.25, at: 17_000, over: 2000)
      part.set("tone", 900, at: 25_003, over: 777)
    case .metronome:
      part.set("subdivision", 3, at: 9000)
      part.set("pitch", 3000, at: 17_000, over: 10_000)
    }
    return part
  }

  /// Channel messages whose effects belong to the unit's state.
  var settings: Performance.Part {
    var part = Performance.Part()
    if self == .delay || self == .metronome { return part }
    part.messages = [
      (0, ChannelMessage(.programChange, channel: 0, 19, 0)),
      (1, ChannelMessage(.controlChange, channel: 0, 10, 20)),
      (2, ChannelMessage(.controlChange, channel: 0, 7, 90)),
      (3, ChannelMessage(.pitchBend, channel: 0, 0, 80)),
      (4, ChannelMessage(.programChange, channel: 5, 73, 0)),
      (5, ChannelMessage(.controlChange, channel: 9, 91, 100)),
      (6, ChannelMessage(.controlChange, channel: 0, 64, 127)),
    ]
    return part
  }

  /// Returns the unit's part, with noise as input if it has audio inputs, in a song whose tempo jumps and glides.
  func performance(_ frames: Int, sampleRate: Int = 48_000) -> Performance {
    var performance = Performance(
      frames: frames, parts: [part], transports: Performance.song, sampleRate: sampleRate)
    performance.input = (0..<inputs).map { Performance.noise(frames, seed: UInt64($0)) }
    return performance
  }
}
