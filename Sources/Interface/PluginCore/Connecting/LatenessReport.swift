import LocalSystem

/// When interruptions by late cycles were reported last, and how many there had been.
struct LatenessReport {
  private var reported: UInt32
  private var next: Int64 = 0

  init(_ signals: PluginSignals) { reported = signals.interruptions.value }

  var isDue: Bool { MonotonicClock.now >= next }

  /// The time until the next report is due.
  var remainingTime: Int64 { max(0, next - MonotonicClock.now) }

  /// Returns the number of interruptions since the last report.
  mutating func take(_ signals: PluginSignals) -> UInt32 {
    let total = signals.interruptions.value
    defer { reported = total }
    if total != reported { next = MonotonicClock.now + 10_000_000_000 }
    return total &- reported
  }
}
