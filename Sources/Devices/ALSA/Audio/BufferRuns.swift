/// Detects that a buffer is too short for a sound server: if the server reads more at a time than the buffer holds,
/// the buffer underruns soon after each start.
struct BufferRuns {
  /// Whether the buffer must not be lengthened, as for a sound card, which reads one period at a time.
  let isFixed: Bool
  private var periods = 0
  private var shortRuns = 0

  /// A run that ends within this number of periods is short.
  private static let shortRun = 16
  /// The number of consecutive short runs that shows that the buffer is too short.
  private static let tolerance = 4

  init(isFixed: Bool) { self.isFixed = isFixed }

  mutating func countPeriod() { periods += 1 }

  /// Handles an underrun.
  ///
  /// - Returns: Whether the buffer has to be lengthened.
  mutating func end() -> Bool {
    shortRuns = periods < Self.shortRun ? shortRuns + 1 : 0
    periods = 0
    if isFixed || shortRuns < Self.tolerance { return false }
    shortRuns = 0
    return true
  }
}
