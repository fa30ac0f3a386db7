import Glibc

/// The time of a stream that nobody hears: each cycle begins when the ones before are over.
struct Pace {
  private let sampleRate: Int
  private var begin = ContinuousClock.now
  private var frames = 0

  /// How far behind it may be and still catch up, as a sound device does from its buffer.
  private static let patience = Duration.milliseconds(200)

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  mutating func wait(forNext count: Int) {
    if frames == 0 { begin = .now }
    var left = begin + .seconds(Double(frames) / Double(sampleRate)) - .now
    if left < .zero - Self.patience { begin += .zero - left }
    while left > .zero, Interruption.signal == nil {
      let nanoseconds = Int(left / .nanoseconds(1))
      var time = timespec(
        tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
      if nanosleep(&time, nil) == 0 { break }
      left = begin + .seconds(Double(frames) / Double(sampleRate)) - .now
    }
    frames += count
  }
}
