/// Converts the kernel's queue timestamps of events to CLOCK_MONOTONIC.
///
/// Both clocks advance at the same rate. The queue time is a whole number of timer periods plus the CLOCK_MONOTONIC
/// time since the last timer interrupt. It is therefore late by the varying latency of that interrupt. The kernel's
/// own timers make up for missed interrupts; other timers may not, and may drift. Both clocks stop while the machine
/// sleeps.
///
/// The offset between the clocks is sampled every ``interval`` while events arrive. All errors make a sample too large:
/// a late interrupt, or a preemption of this thread between reading the two clocks. The smallest sample in the window
/// is therefore the best. A forward jump of the queue is adopted immediately; a lasting lag as soon as it exceeds
/// ``lagTolerance``.
///
/// **Law:** no returned time is later than now, nor earlier than the one before it.
///
/// Source: the kernel's `sound/core/seq/seq_timer.c`, `snd_seq_timer_get_cur_time`.
struct QueueClock {
  private var samples: [Sample] = []
  /// The smallest sample in the window.
  private var least: Sample?
  /// The last returned time.
  private var latest = Int64.min

  private struct Sample {
    /// The CLOCK_MONOTONIC time of the sample, in nanoseconds.
    let time: Int64
    /// CLOCK_MONOTONIC minus the queue time, in nanoseconds.
    let offset: Int64

    /// The offset to use at `now`. It grows with age because the clocks may drift: by 5 ppm, a quarter of a frame per
    /// second.
    func offset(at now: Int64) -> Int64 { offset + (now - time) / 200_000 }
  }

  /// The least time between two samples, in nanoseconds.
  static let interval: Int64 = 100_000_000
  /// The number of samples kept: three seconds of continuous playing.
  static let window = 32
  /// The longest plausible interrupt latency, in nanoseconds. A larger lag of the queue is permanent.
  static let lagTolerance: Int64 = 20_000_000

  /// Whether the next sample is due.
  func isDue(at now: Int64) -> Bool {
    samples.last.map { now - $0.time >= Self.interval } ?? true
  }

  /// Adds a sample.
  ///
  /// - Parameters:
  ///   - queueTime: The queue's time, in nanoseconds.
  ///   - now: The CLOCK_MONOTONIC time read directly afterwards, in nanoseconds.
  mutating func sample(queueTime: UInt64, now: Int64) {
    let sample = Sample(time: now, offset: now - Int64(queueTime))
    if let least, sample.offset - least.offset(at: now) > Self.lagTolerance { samples = [] }
    samples = samples.suffix(Self.window - 1) + [sample]
    least = samples.min { $0.offset(at: now) < $1.offset(at: now) }
  }

  /// - Parameters:
  ///   - stamp: The event's queue time in nanoseconds; `nil` if it has none.
  ///   - now: The CLOCK_MONOTONIC time after the event was read, in nanoseconds.
  /// - Returns: The CLOCK_MONOTONIC time of the event, in nanoseconds.
  mutating func time(of stamp: UInt64?, now: Int64) -> Int64 {
    let time =
      if let stamp, let least { Int64(stamp) + least.offset(at: now) } else { now }
    latest = min(now, max(latest, time))
    return latest
  }
}
