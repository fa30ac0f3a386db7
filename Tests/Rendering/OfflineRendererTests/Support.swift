import AudioFile
import Foundation
import MIDIFile
import OfflineRenderer
import RenderCore
import TestSupport

typealias Event = StandardMIDIFile.Event

func on(_ tick: Int64, _ key: UInt8, channel: UInt8 = 0, velocity: UInt8 = 100) -> Event {
  Event(tick: tick, .channel(ChannelMessage(.noteOn, channel: channel, key, velocity)))
}

func off(_ tick: Int64, _ key: UInt8, channel: UInt8 = 0) -> Event {
  Event(tick: tick, .channel(ChannelMessage(.noteOff, channel: channel, key, 64)))
}

func control(_ tick: Int64, _ number: UInt8, _ value: UInt8, channel: UInt8 = 0) -> Event {
  Event(tick: tick, .channel(ChannelMessage(.controlChange, channel: channel, number, value)))
}

/// Returns a song in which a tick is a frame at 48 kHz: 24 000 ticks per quarter note of half a second.
func song(_ events: [Event], end: Int64? = nil) -> StandardMIDIFile {
  StandardMIDIFile(
    format: .singleTrack, division: .ticksPerQuarter(24_000),
    tracks: [.init(events, endTick: end)])
}

/// A few notes of several kinds that end at frame 30 000.
let phrase = song(
  [
    on(0, 60), on(1000, 64), on(2001, 38, channel: 9), off(2500, 38, channel: 9),
    control(5000, 64, 127), off(9000, 60), off(9000, 64), on(12_345, 72), off(20_000, 72),
    control(25_000, 64, 0),
  ], end: 30_000)

extension TemporaryFolder {
  /// Returns a file for float samples in the folder, opened for writing.
  func file(_ name: String = "a.raw") throws -> RenderedFile {
    try RenderedFile(
      to: .file("\(path)/\(name)"), format: AudioFormat(.raw, bits: .b32f), sampleRate: 48_000,
      measuresLoudness: false)
  }

  /// Returns the interleaved stereo samples of a file.
  func samples(_ name: String = "a.raw") throws -> [Float] {
    try Data(contentsOf: URL(filePath: "\(path)/\(name)")).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
  }
}
