/// Says when something was played, by CLOCK_MONOTONIC, of which the kernel says when by its queue's clock.
///
/// Both clocks run side by side: the queue's adds to whole periods of a timer what CLOCK_MONOTONIC counted
/// since its last interrupt. So it is behind by as much as that interrupt was late, now more, now less.
/// The kernel's own timers make up for interrupts that were missed; others need not, and may drift. While
/// the machine sleeps, both clocks stand still.
///
/// The distance of the two is sampled now and then while something is played. What makes a sample wrong
/// makes it too great: a late interrupt, and a pause of ours between one clock's reading and the other's.
/// The least of the last samples is therefore right. Should the queue jump ahead, that is followed at once,
/// and should it fall back for good, as soon as that is plain.
///
/// **Law:** no event comes later than now, nor before the one before it.
///
/// Source: the kernel's `sound/core/seq/seq_timer.c`, `snd_seq_timer_get_cur_time`.
struct QueueClock {
  private var samples: [Sample] = []
  /// The sample that says the least, which it goes on to do.
  private var least: Sample?
  /// The last time that was said.
  private var latest = Int64.min

  private struct Sample {
    /// Nanoseconds of CLOCK_MONOTONIC.
    let taken: Int64
    /// What has to be added to the queue's time.
    let distance: Int64

    /// An old sample counts for less, as clocks may drift: 5 in a million, a quarter of a frame each second.
    func distance(at now: Int64) -> Int64 { distance + (now - taken) / 200_000 }
  }

  /// Nanoseconds between two samples.
  static let interval: Int64 = 100_000_000
  /// Three seconds of playing.
  static let window = 32
  /// No interrupt is so late: by more than that, in nanoseconds, the queue has fallen back for good.
  static let lagTolerance: Int64 = 20_000_000

  /// Whether a sample should be taken.
  func isDue(at now: Int64) -> Bool {
    samples.last.map { now - $0.taken >= Self.interval } ?? true
  }

  /// Takes a sample.
  ///
  /// - Parameters:
  ///   - queueTime: What the queue's clock says.
  ///   - now: What CLOCK_MONOTONIC said right after that was read.
  mutating func sample(queueTime: UInt64, now: Int64) {
    let sample = Sample(taken: now, distance: now - Int64(queueTime))
    if let least, sample.distance - least.distance(at: now) > Self.lagTolerance { samples = [] }
    samples = samples.suffix(Self.window - 1) + [sample]
    least = samples.min { $0.distance(at: now) < $1.distance(at: now) }
  }

  /// - Parameters:
  ///   - stamp: The queue's time of an event, in nanoseconds; `nil`: it has none.
  ///   - now: What CLOCK_MONOTONIC said after the event had been read.
  /// - Returns: Nanoseconds of CLOCK_MONOTONIC.
  mutating func time(of stamp: UInt64?, now: Int64) -> Int64 {
    let time =
      if let stamp, let least { Int64(stamp) + least.distance(at: now) } else { now }
    latest = min(now, max(latest, time))
    return latest
  }
}
