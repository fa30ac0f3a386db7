/// The place in the past that is read: so many frames ago. It glides to where it should be.
///
/// Realtime: yes.
struct ReadHead: BitwiseCopyable {
  private(set) var delay = 0.0
  var target = 0.0
  /// Which part of its way it goes in a frame.
  private let ease: Double

  init(sampleRate: Double) { ease = 1 / (0.05 * sampleRate) }

  var isStill: Bool { @_noLocks get { delay == target } }

  @_noLocks mutating func jump() { delay = target }

  /// Goes on by a frame.
  @_noLocks mutating func move() {
    let way = target - delay
    let speed = min(max(abs(way) * ease, 1 / 1024), 0.5)
    delay = abs(way) <= speed ? target : delay + (way > 0 ? speed : -speed)
  }
}
