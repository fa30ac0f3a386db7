/// How many lanes should wait, so that the next notes find theirs made.
///
/// At least half as many as sounded at most in the last seconds. When fewer wait, half as many again
/// are ordered, so that orders are few. Lanes are never given back.
///
/// Realtime: yes.
struct LaneForecast {
  private let windowFrames: Int64
  private var windowEnd: Int64
  private var most = 0
  private var mostBefore = 0

  /// Lanes to begin with: a chord of both hands and its echo in the pedal.
  static var first: Int { @_noLocks get { 16 } }

  /// - Parameter rate: Frames per second.
  init(rate: Int) {
    windowFrames = Int64(rate) * 4
    windowEnd = windowFrames
  }

  /// Follows a cycle.
  ///
  /// - Parameters:
  ///   - sounding: How many lanes sound, with those that notes would have had.
  ///   - waiting: How many lanes wait.
  ///   - now: The frame after the cycle.
  /// - Returns: How many lanes there should be, if there are too few.
  @_noLocks mutating func follow(sounding: Int, waiting: Int, now: Int64) -> Int? {
    if now >= windowEnd {
      mostBefore = most
      most = 0
      windowEnd = now + windowFrames
    }
    most = max(most, sounding)
    let least = max(Self.first, max(most, mostBefore)) / 2
    guard waiting < least else { return nil }
    return sounding + least + max(least / 2, Self.first / 2)
  }
}
