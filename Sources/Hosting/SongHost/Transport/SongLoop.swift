package import MIDIFile

/// A part of a song that is played over and over.
package struct SongLoop: Equatable, Sendable {
  /// In beats; the end is the first beat that is not played.
  package let beats: Range<Double>
  /// The frames that are nearest to them.
  package let frames: Range<Int64>

  /// - Throws: ``LoopError`` where the loop begins before the song, or is shorter than
  ///   ``shortest(sampleRate:)``.
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

  /// Frames of the shortest loop: a hundredth of a second, below which it would be a tone and no rhythm.
  package static func shortest(sampleRate: Int) -> Int64 { Int64((sampleRate + 99) / 100) }
}

/// Why a part of a song cannot be looped.
package enum LoopError: Error, Equatable, CustomStringConvertible {
  case beforeSong(Double)
  case tooShort(start: Double, end: Double, frames: Int64, shortest: Int64)

  package var description: String {
    switch self {
    case .beforeSong(let start):
      "a loop must begin at beat 0 or later, but begins at \(start)"
    case .tooShort(let start, let end, let frames, let shortest):
      "a loop must be at least \(shortest) frames long, but from beat \(start) to \(end) there are "
        + "\(frames); end it later"
    }
  }
}
