/// A linear ramp of a value, in equal steps per frame.
///
/// Realtime: yes.
struct Glide: BitwiseCopyable {
  private(set) var value: Double
  private(set) var target: Double
  private var step = 0.0
  private var remaining = 0

  @_noLocks init(_ value: Double) {
    self.value = value
    target = value
  }

  var isOver: Bool { @_noLocks get { remaining == 0 } }

  /// Starts a ramp from the current value to `target`.
  ///
  /// - Parameters:
  ///   - target: The final value.
  ///   - frames: The length of the ramp; 0 to jump immediately.
  @_noLocks mutating func start(to target: Double, frames: Int) {
    self.target = target
    remaining = frames
    if frames == 0 { value = target } else { step = (target - value) / Double(frames) }
  }

  /// Returns the value at this frame and advances to the next.
  @_noLocks mutating func next() -> Double {
    defer { advance() }
    return value
  }

  @_noLocks private mutating func advance() {
    if remaining == 0 { return }
    remaining -= 1
    value = remaining == 0 ? target : value + step
  }
}
