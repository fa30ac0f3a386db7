/// A part of a cycle in which a song plays without a jump, or is stopped.
///
/// The segments of a cycle tile it: each starts at the end of the previous one, the first at offset 0.
///
/// Realtime: yes.
package struct SongSegment: Equatable, Sendable, BitwiseCopyable {
  /// The first frame within the cycle.
  package let offset: Int
  /// The length in frames, 1 or more.
  package let frames: Int
  /// The song's frame at ``offset``; negative in a count-in.
  package let begin: Int64
  /// Whether the song advances, by one frame per frame.
  package let isPlaying: Bool
  /// Whether this does not continue the previous segment, because the song starts, jumps, or loops.
  package let isEntry: Bool

  @_noLocks
  package init(offset: Int, frames: Int, begin: Int64, isPlaying: Bool, isEntry: Bool) {
    self.offset = offset
    self.frames = frames
    self.begin = begin
    self.isPlaying = isPlaying
    self.isEntry = isEntry
  }

  /// The first frame of the song after the segment; ``begin`` if the song is stopped.
  package var end: Int64 { @_noLocks get { isPlaying ? begin + Int64(frames) : begin } }

  // Explicit, because a synthesized operator is not `@_noLocks` and cannot be called from render threads.
  @_noLocks package static func == (a: Self, b: Self) -> Bool {
    a.offset == b.offset && a.frames == b.frames && a.begin == b.begin
      && a.isPlaying == b.isPlaying && a.isEntry == b.isEntry
  }
}
