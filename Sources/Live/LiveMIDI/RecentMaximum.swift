/// The maximum of the values of the last two to four seconds.
struct RecentMaximum: BitwiseCopyable {
  private var current = -Double.infinity
  private var previous = -Double.infinity
  private var age = 0.0

  @_noLocks init() {}

  var value: Double { @_noLocks get { max(current, previous) } }

  /// - Parameters:
  ///   - value: The new value.
  ///   - passed: The nanoseconds since the previous value.
  @_noLocks mutating func add(_ value: Double, passed: Double) {
    age += passed
    if age > 2e9 {
      age = 0
      previous = current
      current = value
    } else {
      current = max(current, value)
    }
  }
}
