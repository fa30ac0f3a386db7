package import MIDIFile
import RenderCore

/// A few bars that show the sound of a preset: a melody, a chord, a bass line or a drum beat, as fits its family.
package struct Phrase: Equatable {
  struct Note: Equatable {
    /// Quarter notes from the beginning.
    var beat: Double
    var length: Double
    var key: UInt8
    var velocity: UInt8 = 90
  }

  let notes: [Note]
  /// Percussion is on channel 10.
  let isPercussion: Bool

  private static let ticks: UInt16 = 480

  /// - Parameter keys: Played one after the other; empty: what fits the preset.
  package init(bank: Int, program: Int, keys: [UInt8]) {
    isPercussion = bank == 128
    if !keys.isEmpty {
      notes = Self.melody(keys, length: 1)
    } else if isPercussion {
      notes = Self.beat
    } else {
      switch program {
      case 32...39: notes = Self.melody([36, 36, 43, 45, 48, 45, 43, 36], length: 0.5)
      case 16...23, 40...55, 88...95: notes = Self.chords
      case 56...87: notes = Self.melody([60, 62, 64, 67, 69, 67, 64, 60], length: 0.5)
      case 96...127: notes = Self.melody([48, 60, 72], length: 1.5)
      default:
        notes =
          Self.melody([60, 64, 67, 72, 67, 64], length: 0.5)
          + [60, 64, 67, 72].map { Note(beat: 3, length: 2, key: $0) }
      }
    }
  }

  private static func melody(_ keys: [UInt8], length: Double) -> [Note] {
    keys.enumerated().map { Note(beat: Double($0) * length, length: length * 0.95, key: $1) }
  }

  private static let chords: [Note] = {
    let chords: [[UInt8]] = [[60, 64, 67], [60, 65, 69], [59, 65, 67], [60, 64, 67, 72]]
    return chords.enumerated().flatMap { index, keys in
      keys.map { Note(beat: 1.5 * Double(index), length: 1.5, key: $0, velocity: 80) }
    }
  }()

  /// A bar of hi-hat, bass drum and snare drum, and a crash cymbal.
  private static let beat: [Note] = {
    func notes(_ key: UInt8, _ velocity: UInt8, at beats: [Double]) -> [Note] {
      beats.map { Note(beat: $0, length: 0.25, key: key, velocity: velocity) }
    }
    return notes(42, 80, at: [0, 1, 2, 3]) + notes(42, 60, at: [0.5, 1.5, 2.5, 3.5])
      + notes(36, 100, at: [0, 1.5, 2, 4]) + notes(38, 95, at: [1, 3])
      + [Note(beat: 4, length: 1, key: 49, velocity: 95)]
  }()

  package var song: StandardMIDIFile {
    let channel: UInt8 = isPercussion ? 9 : 0
    let events = notes.flatMap { note -> [StandardMIDIFile.Event] in
      let begin = Int64(note.beat * Double(Self.ticks))
      let end = Int64((note.beat + note.length) * Double(Self.ticks))
      return [
        .init(
          tick: begin, .channel(ChannelMessage(.noteOn, channel: channel, note.key, note.velocity))),
        .init(tick: end, .channel(ChannelMessage(.noteOff, channel: channel, note.key, 64))),
      ]
    }
    return StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(Self.ticks),
      tracks: [.init(events.sorted { $0.tick < $1.tick })])
  }
}
