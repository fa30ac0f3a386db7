import Glibc
import NodeHost

/// The time of a stream that nobody hears: each cycle begins when the ones before are over.
struct Pace {
  private let sampleRate: Int
  private let isRealtime: Bool
  private var begin = ContinuousClock.now
  private var frames = 0

  /// How far behind it may be and still catch up, as a sound device does from its buffer.
  private static let patience = Duration.milliseconds(200)

  /// - Parameter isRealtime: Whether the thread that is to wait has realtime priority.
  init(sampleRate: Int, isRealtime: Bool = false) {
    self.sampleRate = sampleRate
    self.isRealtime = isRealtime
  }

  mutating func wait(forNext count: Int) {
    if frames == 0 {
      // Now that every thread which would else stay here as well has been started.
      if isRealtime { AudioHost.keepThreadOnProcessor() }
      begin = .now
    }
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
