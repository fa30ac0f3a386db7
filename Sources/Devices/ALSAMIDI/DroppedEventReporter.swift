/// Tells at once that something was left out, and then only once in a second.
struct DroppedEventReporter {
  private var untold: [String: DroppedEvents] = [:]
  private var lastTold: Int64?

  /// Nanoseconds between two reports.
  private static let interval: Int64 = 1_000_000_000

  mutating func add(_ dropped: DroppedEvents, of port: String) {
    if dropped.count > 0 { untold[port, default: DroppedEvents()] += dropped }
  }

  /// - Parameter now: In nanoseconds.
  /// - Returns: What is to be told now.
  mutating func take(at now: Int64) -> [BridgeEvent] {
    guard !untold.isEmpty, lastTold.map({ now - $0 >= Self.interval }) ?? true else { return [] }
    lastTold = now
    defer { untold = [:] }
    return untold.sorted { $0.key < $1.key }.map { .dropped(port: $0.key, $0.value) }
  }
}
