/// Says on which frame of a cycle something was played that came at some time, at constant latency.
///
/// A delay-locked loop follows the times at which cycles are heard, so that neither a thread that wakes
/// late nor a clock that differs from the system's moves a note. What comes during one cycle is placed in
/// the next, as far from its beginning as it came from that of the one before: always one cycle late,
/// and what the sound takes to be heard, instead of up to a cycle early.
///
/// Realtime: yes.
///
/// Source: F. Adriaensen, *Using a DLL to filter time*, Linux Audio Conference 2005.
package struct InputClock: BitwiseCopyable {
  /// Nanoseconds of a frame: by the format, and as they turn out to be.
  private let nominal: Double
  private var perFrame: Double
  /// When the first frame of the cycle is heard.
  private var begin = 0.0
  private var position: Int64 = 0
  private var frames = 0
  /// What was not yet accounted for of the error of the cycle before.
  private var correction = 0.0
  /// What errors usually are.
  private var usual = 0.0
  /// Nanoseconds since it began to follow; negative: it has not.
  private var age = -1.0
  private var recent = RecentMaximum()

  /// Nanoseconds from when something is played until it is heard.
  package private(set) var latency = 0.0

  /// The loop's bandwidth in hertz: fast while it is young, and then as slow as its cycles are long.
  private static var fastest: Double { @_noLocks get { 1 } }
  private static var slowest: Double { @_noLocks get { 0.05 } }
  /// Of a cycle's length in seconds and the bandwidth: less of it averages over more cycles.
  private static var smoothness: Double { @_noLocks get { 0.0008 } }
  /// What errors are taken to be at first, in nanoseconds.
  private static var firstGuess: Double { @_noLocks get { 50_000 } }
  /// Nanoseconds over which errors are compared.
  private static var memory: Double { @_noLocks get { 1e9 } }
  /// Nanoseconds by which the latency may be too long before it is made shorter.
  private static var latencyTolerance: Double { @_noLocks get { 1e6 } }

  /// - Parameter sampleRate: Frames per second.
  package init(sampleRate: Int) {
    nominal = 1e9 / Double(sampleRate)
    perFrame = nominal
  }

  /// A cycle begins.
  ///
  /// - Parameters:
  ///   - position: Its first frame, in a stream without gaps.
  ///   - heardAt: When that is heard, in nanoseconds of CLOCK_MONOTONIC.
  ///   - now: What that clock says.
  @_noLocks
  package mutating func beginCycle(position: Int64, frames: Int, heardAt: Int64, now: Int64) {
    let passed = Double(position &- self.position)
    let expected = begin + passed * perFrame + correction
    let error = Double(heardAt) - expected
    let limit = 2 * nominal * Double(max(frames, self.frames)) + 20e6
    if age < 0 || passed < 0 || abs(error) > limit {
      restart(at: Double(heardAt))
    } else {
      follow(error, over: passed * nominal, expected)
    }
    self.position = position
    self.frames = frames
    setLatency(begin - Double(now) + nominal * Double(frames), passed: passed * nominal)
  }

  @_noLocks private mutating func restart(at time: Double) {
    begin = time
    perFrame = nominal
    correction = 0
    usual = Self.firstGuess
    age = 0
    latency = 0
    recent = RecentMaximum()
  }

  /// - Parameter length: Nanoseconds since the cycle before.
  @_noLocks private mutating func follow(_ error: Double, over length: Double, _ expected: Double) {
    age += length
    begin = expected
    let least = max(Self.slowest, Self.smoothness * 1e9 / max(length, 1))
    let bandwidth = min(Self.fastest, max(least, 0.5e9 / max(age, 1)))
    let turn = min(0.5, 2 * Double.pi * bandwidth * length / 1e9)
    let error = tame(error, over: length)
    // √2, as the paper has it.
    correction = 1.414_213_562_373_095_1 * turn * error
    if length > 0 { perFrame += turn * turn * error * nominal / length }
    // No sound card is a hundredth wrong; a host may be.
    perFrame = max(nominal * 0.99, min(nominal * 1.01, perFrame))
  }

  /// A thread that is for once much later than usual says little of the clock.
  @_noLocks private mutating func tame(_ error: Double, over length: Double) -> Double {
    let bound = 3 * usual
    let share = min(1, length / Self.memory)
    usual += share * (abs(error) - usual)
    return max(-bound, min(bound, error))
  }

  /// - Parameter needed: The least that places what has come since the cycle before in this one or later.
  @_noLocks private mutating func setLatency(_ needed: Double, passed: Double) {
    recent.add(needed, passed: passed)
    if needed > latency || recent.value < latency - Self.latencyTolerance { latency = recent.value }
  }

  /// - Parameters:
  ///   - time: When something was played, in nanoseconds of CLOCK_MONOTONIC.
  ///   - now: What that clock says.
  /// - Returns: Frames from the cycle's first: negative when it comes too late, and the cycle's length or
  ///   more when it belongs to a later one.
  @_noLocks package func offset(of time: Int64, now: Int64) -> Int {
    let offset = (Double(time) + latency - begin) / perFrame
    // What has been here for so long had better be heard, whatever the host says of its time.
    let isOverdue = Double(now &- time) > 2 * latency + 100e6
    if isOverdue || !(offset >= 0) { return isOverdue ? 0 : -1 }
    return offset < 1e9 ? Int(offset) : 1_000_000_000
  }
}

/// The greatest of the values of the last two to four seconds.
private struct RecentMaximum: BitwiseCopyable {
  private var current = -Double.infinity
  private var previous = -Double.infinity
  private var age = 0.0

  @_noLocks init() {}

  var value: Double { @_noLocks get { max(current, previous) } }

  /// - Parameter passed: Nanoseconds since the value before.
  @_noLocks mutating func add(_ value: Double, passed: Double) {
    age += passed
    if age > 2e9 {
      age = 0
      previous = current
      current = value
    } else {
      current = max(current, value)
    }
  }
}
