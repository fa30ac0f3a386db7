import CSndFile
package import Foundation
import MIDIFile
import RenderCore
import TestSupport

/// A note of a song. At 480 ticks per quarter note and 120 quarter notes per minute, a tick is 1/960 s, which is 50
/// frames at 48 kHz.
package struct Note {
  package var tick: Int64
  package var key: UInt8
  /// The length in ticks; `nil`: the note has no end.
  package var length: Int64?
  package var channel: UInt8 = 0
  package var velocity: UInt8 = 100

  package init(
    tick: Int64, key: UInt8, length: Int64? = nil, channel: UInt8 = 0, velocity: UInt8 = 100
  ) {
    self.tick = tick
    self.key = key
    self.length = length
    self.channel = channel
    self.velocity = velocity
  }
}

/// Returns the bytes of a MIDI file with one track.
///
/// - Parameter program: The program of channel 0 from the beginning, or `nil`.
package func songBytes(
  _ notes: [Note], endTick: Int64? = nil, name: String? = nil, program: UInt8? = nil
) throws -> Data {
  var events = notes.flatMap { note in
    let on = ChannelMessage(.noteOn, channel: note.channel, note.key, note.velocity)
    let off = ChannelMessage(.noteOff, channel: note.channel, note.key, 64)
    let start = StandardMIDIFile.Event(tick: note.tick, .channel(on))
    guard let length = note.length else { return [start] }
    return [start, .init(tick: note.tick + length, .channel(off))]
  }
  if let name { events.append(.init(tick: 0, .meta(.text(name, .trackName)))) }
  events.sort { $0.tick < $1.tick }
  if let program {
    events.insert(
      .init(tick: 0, .channel(ChannelMessage(.programChange, channel: 0, program))), at: 0)
  }
  let song = StandardMIDIFile(
    format: .singleTrack, division: .ticksPerQuarter(480),
    tracks: [.init(events, endTick: endTick)])
  return Data(try song.encoded())
}

/// Returns a song of chords and drums that ends at frame 50 000 at 48 kHz.
package func shortSong(program: UInt8? = nil) throws -> Data {
  let chords = (0..<4).flatMap { beat in
    [60, 64, 67].map { Note(tick: Int64(beat) * 240 + Int64($0), key: UInt8($0), length: 200) }
  }
  let drums = (0..<8).map { Note(tick: Int64($0) * 117, key: 38, length: 10, channel: 9) }
  return try songBytes(chords + drums, endTick: 1000, program: program)
}

/// Returns a song of almost two hours, so that a test can interrupt a program while it renders.
package func endlessSong() throws -> Data {
  try songBytes((0..<14_000).map { Note(tick: $0 * 480, key: UInt8(40 + $0 % 40), length: 400) })
}

/// Renders with the test's SoundFont.
package func render(_ arguments: String..., input: String = "/dev/null") throws -> ProgramResult {
  try Program(["render", "-s", bundledSoundFont] + arguments, input: input).result()
}

/// Returns the interleaved stereo samples of a file, read with libsndfile.
package func samples(_ path: String) -> [Float] {
  var information = SF_INFO()
  guard let handle = sf_open(path, CInt(SFM_READ), &information) else { return [] }
  defer { sf_close(handle) }
  var samples: [Float] = []
  var block = [Float](repeating: 0, count: 8192)
  while case let count = sf_readf_float(handle, &block, 4096), count > 0 {
    samples += block[..<(Int(count) * 2)]
  }
  return samples
}

package func peak(_ samples: some Sequence<Float>) -> Float {
  samples.reduce(0) { max($0, abs($1)) }
}
