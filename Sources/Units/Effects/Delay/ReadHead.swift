/// The read position of the delay lines, as a delay in frames. It glides to its target.
///
/// Realtime: yes.
struct ReadHead: BitwiseCopyable {
  private(set) var delay = 0.0
  var target = 0.0
  /// The fraction of the remaining distance that it moves per frame.
  private let ease: Double

  init(sampleRate: Double) { ease = 1 / (0.05 * sampleRate) }

  var isAtTarget: Bool { @_noLocks get { delay == target } }

  @_noLocks mutating func jump() { delay = target }

  /// Moves toward the target by one frame of time: by 1/1024…1/2 frame of delay.
  @_noLocks mutating func move() {
    let distance = target - delay
    let speed = min(max(abs(distance) * ease, 1 / 1024), 0.5)
    delay = abs(distance) <= speed ? target : delay + (distance > 0 ? speed : -speed)
  }
}
