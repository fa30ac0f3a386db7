/// A cycle that is rendered but not mixed yet.
public struct RenderedCycle: Sendable, BitwiseCopyable {
  /// Its first frame, counted from the instrument's first.
  var start: Int64
  var frames: Int

  @_noLocks init(start: Int64, frames: Int) {
    self.start = start
    self.frames = frames
  }
}
