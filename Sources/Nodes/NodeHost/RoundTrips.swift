/// A histogram of round-trip times, with sixteen classes per octave, which are at most 6 % wide.
///
/// Realtime: yes.
public struct RoundTrips: Sendable, BitwiseCopyable {
  private var counts = InlineArray<512, Int>(repeating: 0)
  public private(set) var count = 0
  /// The longest time in nanoseconds.
  public private(set) var longest: Int64 = 0

  @_noLocks init() {}

  @_noLocks mutating func add(_ nanoseconds: Int64) {
    counts[Self.index(of: nanoseconds)] += 1
    count += 1
    longest = max(longest, nanoseconds)
  }

  mutating func add(_ other: RoundTrips) {
    for index in 0..<512 { counts[index] += other.counts[index] }
    count += other.count
    longest = max(longest, other.longest)
  }

  // The class is the exponent and the first four bits of the mantissa of the time as a `Float`.
  @_noLocks private static func index(of nanoseconds: Int64) -> Int {
    let bits = Float(max(1, nanoseconds)).bitPattern >> 19
    return min(511, Int(bits) - (127 << 4))
  }

  /// Returns a quantile of the round-trip times in nanoseconds; 0 if there are none.
  ///
  /// - Parameter part: The fraction, 0…1; 0.5 for the median.
  public func quantile(_ part: Double) -> Int64 {
    var left = Int((Double(count) * part).rounded(.up))
    for i in 0..<512 where counts[i] > 0 {
      left -= counts[i]
      if left <= 0 {
        if i == 511 { break }
        let middle = Float(bitPattern: UInt32(i + (127 << 4)) << 19 | 1 << 18)
        return min(longest, Int64(middle))
      }
    }
    return longest
  }
}
