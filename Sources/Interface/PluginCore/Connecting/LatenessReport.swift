import LocalSystem

/// When late cycles were reported last, and how many there had been.
struct LatenessReport {
  private var reported: (lateCycles: UInt32, interruptions: UInt32)
  private var next: Int64 = 0

  init(_ signals: PluginSignals) {
    reported = (signals.lateCycles.value, signals.interruptions.value)
  }

  var isDue: Bool { MonotonicClock.now >= next }

  /// The time until the next report is due.
  var remainingTime: Int64 { max(0, next - MonotonicClock.now) }

  /// Returns the number of late cycles since the last report, and of those that interrupted a sound.
  mutating func take(_ signals: PluginSignals) -> (count: UInt32, interruptions: UInt32) {
    let total = (signals.lateCycles.value, signals.interruptions.value)
    defer { reported = total }
    let count = total.0 &- reported.lateCycles
    if count > 0 { next = MonotonicClock.now + 10_000_000_000 }
    return (count, total.1 &- reported.interruptions)
  }
}
