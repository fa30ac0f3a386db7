package import MIDIFile

/// A loop in a song.
package struct SongLoop: Equatable, Sendable {
  /// The range in beats; the upper bound is the first beat that is not played.
  package let beats: Range<Double>
  /// The range in frames, nearest to the beats.
  package let frames: Range<Int64>

  /// - Throws: ``LoopError`` if the loop starts before the song, or is shorter than ``shortest(sampleRate:)``.
  package init(from start: Double, to end: Double, _ map: BeatMap) throws(LoopError) {
    guard start >= 0 else { throw .beforeSong(start) }
    let (first, last) = (map.frame(ofBeat: start), map.frame(ofBeat: end))
    let shortest = Self.shortest(sampleRate: map.sampleRate)
    guard last - first >= shortest, start < end else {
      throw .tooShort(start: start, end: end, frames: last - first, shortest: shortest)
    }
    beats = start..<end
    frames = first..<last
  }

  /// Returns the length of the shortest loop in frames: 10 ms. A shorter loop would be a tone, not a rhythm.
  package static func shortest(sampleRate: Int) -> Int64 { Int64((sampleRate + 99) / 100) }
}

/// The reason why a loop is invalid.
package enum LoopError: Error, Equatable, CustomStringConvertible {
  case beforeSong(Double)
  case tooShort(start: Double, end: Double, frames: Int64, shortest: Int64)

  package var description: String {
    switch self {
    case .beforeSong(let start):
      "a loop must start at beat 0 or later, but starts at \(start)"
    case .tooShort(let start, let end, let frames, let shortest):
      "a loop must be at least \(shortest) frames long, but from beat \(start) to \(end) there are "
        + "\(frames); end it later"
    }
  }
}
