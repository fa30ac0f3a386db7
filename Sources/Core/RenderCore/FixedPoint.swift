/// Sums of audio whose bits do not depend on the order or the grouping of the additions.
///
/// A sample is a multiple of 2⁻⁴⁰ in an `Int64`: 24 bits finer than 16-bit audio, with 138 dB of room
/// above full scale. Integers add exactly, so a mix is the sum of its parts bit for bit, however
/// they are divided among threads, stems or files. Floats do not: (a + b) + c and a + (b + c)
/// differ in the last bit.
///
/// Realtime: yes.
public enum FixedPoint {
  /// The value of 1 in the last place.
  public static var scale: Double { @_noLocks get { 1_099_511_627_776.0 } }

  // Adding 3 × 2¹¹ to a double of lesser size moves its binary point to a fixed place: the lowest
  // bit of the sum is then worth 2⁻⁴⁰, and its bit pattern, less that of the summand, is the
  // rounded integer. Unlike a conversion instruction, this vectorises on every x86-64.
  @usableFromInline static var mover: Double { @_noLocks get { 6144.0 } }

  /// Adds `count` samples of `source` to `sums`.
  ///
  /// - Parameters:
  ///   - source: Full scale is ±1; each sample's size must be below 2048 (+66 dBFS).
  ///   - sums: At least `count` long.
  @_noLocks
  public static func add(
    _ source: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Int64>, count: Int
  ) {
    for i in 0..<count {
      let moved = (Double(source[i]) + mover).bitPattern
      sums[i] &+= Int64(bitPattern: moved &- mover.bitPattern)
    }
  }

  /// Adds `count` sums of `source` to `sums`, exactly.
  @_noLocks
  public static func add(
    _ source: UnsafePointer<Int64>, to sums: UnsafeMutablePointer<Int64>, count: Int
  ) {
    for i in 0..<count { sums[i] &+= source[i] }
  }

  /// Writes `count` sums as samples: full scale is ±1, rounded to the nearest float.
  @_noLocks
  public static func store(
    _ sums: UnsafePointer<Int64>, in destination: UnsafeMutablePointer<Float>, count: Int
  ) {
    for i in 0..<count { destination[i] = Float(Double(sums[i]) * (1 / scale)) }
  }
}
