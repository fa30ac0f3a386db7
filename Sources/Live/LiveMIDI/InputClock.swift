/// Converts the time of an input event to a frame of a cycle, at constant latency.
///
/// A delay-locked loop tracks the times at which cycles are heard, so that neither a thread that wakes late nor a clock
/// that differs from the system's moves a note. An event that arrives during one cycle is placed in the next cycle, at
/// the same distance from its beginning. Its latency is always one cycle plus the output latency, instead of up to a
/// cycle less with jitter.
///
/// Realtime: yes.
///
/// Source: F. Adriaensen, *Using a DLL to filter time*, Linux Audio Conference 2005.
package struct InputClock: BitwiseCopyable {
  /// The nominal length of a frame in nanoseconds, from the sample rate.
  private let nominal: Double
  /// The measured length of a frame in nanoseconds.
  private var perFrame: Double
  /// The time at which the first frame of the cycle is heard, in nanoseconds.
  private var begin = 0.0
  private var position: Int64 = 0
  private var frames = 0
  /// The correction of the next cycle's expected time for the error of this cycle, in nanoseconds.
  private var correction = 0.0
  /// The average magnitude of the error in nanoseconds.
  private var typicalError = 0.0
  /// The nanoseconds since the loop was started; negative: it was not.
  private var age = -1.0
  private var recent = RecentMaximum()

  /// The time from an event until it is heard, in nanoseconds.
  package private(set) var latency = 0.0

  /// The highest bandwidth of the loop in hertz. The bandwidth decreases after the start, to a limit that is lower for
  /// longer cycles.
  private static var fastest: Double { @_noLocks get { 1 } }
  /// The lowest bandwidth of the loop in hertz.
  private static var slowest: Double { @_noLocks get { 0.05 } }
  /// The lowest bandwidth times the length of a cycle in seconds. A smaller value averages over more cycles.
  private static var smoothness: Double { @_noLocks get { 0.0008 } }
  /// The initial value of ``typicalError`` in nanoseconds.
  private static var initialError: Double { @_noLocks get { 50_000 } }
  /// The averaging time of ``typicalError`` in nanoseconds.
  private static var averagingTime: Double { @_noLocks get { 1e9 } }
  /// The nanoseconds by which the latency may be too long before it is reduced.
  private static var latencyTolerance: Double { @_noLocks get { 1e6 } }

  /// - Parameter sampleRate: Frames per second.
  package init(sampleRate: Int) {
    nominal = 1e9 / Double(sampleRate)
    perFrame = nominal
  }

  /// Updates the clock at the beginning of a cycle.
  ///
  /// - Parameters:
  ///   - position: The position of the first frame in a stream without gaps.
  ///   - frames: The length of the cycle.
  ///   - heardAt: The time at which the first frame is heard, in nanoseconds of CLOCK_MONOTONIC.
  ///   - now: The current time of that clock.
  @_noLocks
  package mutating func beginCycle(position: Int64, frames: Int, heardAt: Int64, now: Int64) {
    let passed = Double(position &- self.position)
    let expected = begin + passed * perFrame + correction
    let error = Double(heardAt) - expected
    let limit = 2 * nominal * Double(max(frames, self.frames)) + 20e6
    if age < 0 || passed < 0 || abs(error) > limit {
      restart(at: Double(heardAt))
    } else {
      update(error, over: passed * nominal, expected)
    }
    self.position = position
    self.frames = frames
    setLatency(begin - Double(now) + nominal * Double(frames), passed: passed * nominal)
  }

  @_noLocks private mutating func restart(at time: Double) {
    begin = time
    perFrame = nominal
    correction = 0
    typicalError = Self.initialError
    age = 0
    latency = 0
    recent = RecentMaximum()
  }

  /// Updates the loop.
  ///
  /// - Parameters:
  ///   - error: The reported time minus the expected time of the cycle, in nanoseconds.
  ///   - length: The nanoseconds since the previous cycle.
  ///   - expected: The expected time of the cycle.
  @_noLocks private mutating func update(_ error: Double, over length: Double, _ expected: Double) {
    age += length
    begin = expected
    let least = max(Self.slowest, Self.smoothness * 1e9 / max(length, 1))
    let bandwidth = min(Self.fastest, max(least, 0.5e9 / max(age, 1)))
    let omega = min(0.5, 2 * Double.pi * bandwidth * length / 1e9)
    let error = limit(error, over: length)
    // √2, as in the paper.
    correction = 1.414_213_562_373_095_1 * omega * error
    if length > 0 { perFrame += omega * omega * error * nominal / length }
    // The rate of a sound card never deviates by 1 %; that of a host might.
    perFrame = max(nominal * 0.99, min(nominal * 1.01, perFrame))
  }

  /// Returns the error, limited to three times ``typicalError``: a thread that is once much later than usual says
  /// little about the clock.
  @_noLocks private mutating func limit(_ error: Double, over length: Double) -> Double {
    let bound = 3 * typicalError
    let share = min(1, length / Self.averagingTime)
    typicalError += share * (abs(error) - typicalError)
    return max(-bound, min(bound, error))
  }

  /// - Parameter needed: The shortest latency with which events since the previous cycle fall into this cycle or later.
  @_noLocks private mutating func setLatency(_ needed: Double, passed: Double) {
    recent.add(needed, passed: passed)
    if needed > latency || recent.value < latency - Self.latencyTolerance { latency = recent.value }
  }

  /// Returns the frame of an event.
  ///
  /// - Parameters:
  ///   - time: The time at which the event was played, in nanoseconds of CLOCK_MONOTONIC.
  ///   - now: The current time of that clock.
  /// - Returns: The offset from the first frame of the cycle. It is negative for a late event, and the length of the
  ///   cycle or more for an event of a later cycle.
  @_noLocks package func offset(of time: Int64, now: Int64) -> Int {
    let offset = (Double(time) + latency - begin) / perFrame
    // Play overdue events now, even if the host's clock disagrees.
    let isOverdue = Double(now &- time) > 2 * latency + 100e6
    if isOverdue || !(offset >= 0) { return isOverdue ? 0 : -1 }
    return offset < 1e9 ? Int(offset) : 1_000_000_000
  }
}

/// The maximum of the values of the last two to four seconds.
struct RecentMaximum: BitwiseCopyable {
  private var current = -Double.infinity
  private var previous = -Double.infinity
  private var age = 0.0

  @_noLocks init() {}

  var value: Double { @_noLocks get { max(current, previous) } }

  /// - Parameters:
  ///   - value: The new value.
  ///   - passed: The nanoseconds since the previous value.
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
