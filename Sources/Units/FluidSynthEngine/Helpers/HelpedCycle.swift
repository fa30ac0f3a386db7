import CRender

/// The data of a cycle that the threads need.
///
/// The render thread writes it before it publishes the lanes. A helper reads it only after it has taken a lane, and the
/// render thread does not write it again before that helper has finished.
struct HelpedCycle: BitwiseCopyable {
  let tunings: Tunings
  /// The frame of the first sample of the sums.
  let origin: Int64
  /// The frame up to which to render.
  let end: Int64
  /// The floating-point mode of the render thread.
  let mode: UInt64

  @_noLocks init(tunings: Tunings, from origin: Int64 = 0, until end: Int64 = 0) {
    (self.tunings, self.origin, self.end) = (tunings, origin, end)
    mode = floating_point_mode()
  }

  var frames: Int { @_noLocks get { Int(end - origin) } }
}
