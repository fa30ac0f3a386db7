/// Limits the messages of a page.
struct MessageRate {
  /// In a second; fingers and a wheel send fewer than 500.
  static let limit = 4000

  private var begin = ContinuousClock.now
  private var count = 0

  mutating func admits(at now: ContinuousClock.Instant = .now) -> Bool {
    if now - begin >= .seconds(1) {
      begin = now
      count = 0
    }
    count += 1
    return count <= Self.limit
  }
}
