/// A number on its way to another, in equal steps.
///
/// Realtime: yes.
struct Glide: BitwiseCopyable {
  private(set) var value: Double
  private(set) var target: Double
  private var step = 0.0
  private var left = 0

  @_noLocks init(_ value: Double) {
    self.value = value
    target = value
  }

  var isOver: Bool { @_noLocks get { left == 0 } }

  /// Sets out for `target`, which is reached so many frames later; with 0, at once.
  @_noLocks mutating func go(to target: Double, frames: Int) {
    self.target = target
    left = frames
    if frames == 0 { value = target } else { step = (target - value) / Double(frames) }
  }

  /// - Returns: The value at this frame; then goes on to the next.
  @_noLocks mutating func next() -> Double {
    defer { advance() }
    return value
  }

  @_noLocks private mutating func advance() {
    if left == 0 { return }
    left -= 1
    value = left == 0 ? target : value + step
  }
}
