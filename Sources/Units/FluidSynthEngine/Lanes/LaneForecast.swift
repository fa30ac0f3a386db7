/// Predicts how many idle lanes the next notes will need.
///
/// The target is at least half the maximum number of lanes that sounded in the last four to eight seconds. If fewer are
/// idle, half as many again are requested, so that requests are rare. Lanes are never given back.
///
/// Realtime: yes.
struct LaneForecast {
  private let windowFrames: Int64
  private var windowEnd: Int64
  private var peak = 0
  private var previousPeak = 0

  /// The number of lanes at first.
  private let first: Int

  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - first: The number of lanes at first.
  init(rate: Int, first: Int) {
    self.first = first
    windowFrames = Int64(rate) * 4
    windowEnd = windowFrames
  }

  /// Updates the forecast after a cycle.
  ///
  /// - Parameters:
  ///   - sounding: The number of sounding lanes, including those that notes without a lane needed.
  ///   - idle: The number of idle lanes.
  ///   - now: The frame after the cycle.
  /// - Returns: The total number of lanes needed, if there are too few.
  @_noLocks mutating func update(sounding: Int, idle: Int, now: Int64) -> Int? {
    if now >= windowEnd {
      previousPeak = peak
      peak = 0
      windowEnd = now + windowFrames
    }
    peak = max(peak, sounding)
    let least = max(first, max(peak, previousPeak)) / 2
    guard idle < least else { return nil }
    return sounding + least + max(least / 2, first / 2)
  }
}
