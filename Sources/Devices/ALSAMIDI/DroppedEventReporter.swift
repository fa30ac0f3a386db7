/// Reports the first dropped events immediately, then at most once per second.
struct DroppedEventReporter {
  private var pending: [String: DroppedEvents] = [:]
  private var lastReport: Int64?

  /// The least time between two reports, in nanoseconds.
  private static let interval: Int64 = 1_000_000_000

  mutating func add(_ dropped: DroppedEvents, of port: String) {
    if dropped.count > 0 { pending[port, default: DroppedEvents()] += dropped }
  }

  /// Returns and clears the pending reports, if one is due.
  ///
  /// - Parameter now: The time in nanoseconds.
  /// - Returns: One event per port, sorted by port name; empty if nothing is due.
  mutating func takeDue(at now: Int64) -> [BridgeEvent] {
    guard !pending.isEmpty, lastReport.map({ now - $0 >= Self.interval }) ?? true else { return [] }
    lastReport = now
    defer { pending = [:] }
    return pending.sorted { $0.key < $1.key }.map { .dropped(port: $0.key, $0.value) }
  }
}
