/// The place of a song's frames in a cycle that has more or fewer frames, because the song follows another tempo.
///
/// Offsets are rounded to the nearest frame. Without a change of length, they remain.
struct Stretch {
  /// The frames of the song, 1 or more.
  let length: Int
  /// The frames of the cycle, 1 or more.
  let frames: Int
  /// The tempo in which the song is played; `nil`: its own.
  let tempo: Double?

  /// Returns the offset of an event of the song, whose offset is less than ``length``.
  func offset(_ offset: Int) -> Int { min(frames - 1, border(offset)) }

  /// Returns where a segment of the song that ends or begins at an offset, at most ``length``, ends or begins.
  func border(_ offset: Int) -> Int { (2 * offset * frames + length) / (2 * length) }
}
