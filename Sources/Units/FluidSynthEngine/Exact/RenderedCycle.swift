/// A cycle that is rendered but not mixed.
public struct RenderedCycle: Sendable, BitwiseCopyable {
  /// The first frame, counted from the first frame of the instrument.
  var start: Int64
  var frames: Int

  @_noLocks init(start: Int64, frames: Int) {
    self.start = start
    self.frames = frames
  }
}
