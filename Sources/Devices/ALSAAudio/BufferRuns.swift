/// Finds out whether a buffer is too short for a sound server: one that takes more at a time than the buffer holds
/// runs out of sound as soon as it has been started, again and again.
struct BufferRuns {
  /// Whether the buffer may not be made longer. A card's own takes a period at a time.
  let isFixed: Bool
  private var periods = 0
  private var shortRuns = 0

  /// A run is short that ends within so many periods.
  private static let shortRun = 16
  /// So many short runs are no accident.
  private static let tolerance = 4

  init(isFixed: Bool) { self.isFixed = isFixed }

  mutating func countPeriod() { periods += 1 }

  /// The device has run out of sound.
  ///
  /// - Returns: Whether the buffer is too short.
  mutating func end() -> Bool {
    shortRuns = periods < Self.shortRun ? shortRuns + 1 : 0
    periods = 0
    if isFixed || shortRuns < Self.tolerance { return false }
    shortRuns = 0
    return true
  }
}
