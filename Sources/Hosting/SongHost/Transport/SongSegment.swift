/// Frames of a cycle in which a song goes on without a jump, or stands still.
///
/// The stretches of a cycle tile it: each begins where the one before ends, the first at offset 0.
///
/// Realtime: yes.
package struct SongSegment: Equatable, Sendable, BitwiseCopyable {
  /// The first frame within the cycle.
  package let offset: Int
  /// How many frames of the cycle it takes: 1 or more.
  package let frames: Int
  /// The song's frame at ``offset``: below 0 in a count-in.
  package let begin: Int64
  /// Whether the song goes on, by a frame per frame.
  package let isPlaying: Bool
  /// Whether the song does not come here from the stretch before: it starts, was sent elsewhere, or loops.
  package let isEntry: Bool

  @_noLocks
  package init(offset: Int, frames: Int, begin: Int64, isPlaying: Bool, isEntry: Bool) {
    self.offset = offset
    self.frames = frames
    self.begin = begin
    self.isPlaying = isPlaying
    self.isEntry = isEntry
  }

  /// The first frame of the song that is not in it: ``begin`` where the song stands.
  package var end: Int64 { @_noLocks get { isPlaying ? begin + Int64(frames) : begin } }

  // Written out, for one that the compiler makes is not open to render threads elsewhere.
  @_noLocks package static func == (a: Self, b: Self) -> Bool {
    a.offset == b.offset && a.frames == b.frames && a.begin == b.begin
      && a.isPlaying == b.isPlaying && a.isEntry == b.isEntry
  }
}
