/// Exact sums of audio: the result does not depend on the order or grouping of the additions.
///
/// A sample is a multiple of 2⁻⁴⁰ in an `Int64`: 24 bits finer than 16-bit audio, with 138 dB of headroom above full
/// scale. Integer addition is exact, so a mix equals the sum of its parts bit for bit, regardless of how the parts are
/// divided among threads, stems or files. With floats, (a + b) + c and a + (b + c) can differ in the last bit.
///
/// Realtime: yes.
public enum FixedPoint {
  /// The number of units in the last place in a sample of 1: 2⁴⁰.
  public static var scale: Double { @_noLocks get { 1_099_511_627_776.0 } }

  // Adding 3 × 2¹¹ to a double of smaller magnitude fixes its binary point: the lowest bit of the
  // sum is worth 2⁻⁴⁰. The bit pattern of the sum minus that of 3 × 2¹¹ is the rounded integer.
  // Unlike a conversion instruction, this vectorises on every x86-64 processor.
  @usableFromInline static var mover: Double { @_noLocks get { 6144.0 } }

  /// Adds `count` samples of `source` to `sums`.
  ///
  /// - Parameters:
  ///   - source: At least `count` samples. Full scale is ±1; the magnitude of each must be below
  ///     2048 (+66 dBFS).
  ///   - sums: At least `count` sums.
  @_noLocks
  public static func add(
    _ source: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Int64>, count: Int
  ) {
    for i in 0..<count {
      let moved = (Double(source[i]) + mover).bitPattern
      sums[i] &+= Int64(bitPattern: moved &- mover.bitPattern)
    }
  }

  /// Returns the float that a sum of this sample alone has.
  ///
  /// - Parameter sample: As in ``add(_:to:count:)-(UnsafePointer<Float>,_,_)``.
  @_noLocks public static func rounded(_ sample: Float) -> Float {
    Float(Double(sample) + mover - mover)
  }

  /// Adds `count` sums of `source` to `sums`, exactly.
  @_noLocks
  public static func add(
    _ source: UnsafePointer<Int64>, to sums: UnsafeMutablePointer<Int64>, count: Int
  ) {
    for i in 0..<count { sums[i] &+= source[i] }
  }

  /// Converts `count` sums to samples, rounded to the nearest float. Full scale is ±1.
  @_noLocks
  public static func store(
    _ sums: UnsafePointer<Int64>, in destination: UnsafeMutablePointer<Float>, count: Int
  ) {
    for i in 0..<count { destination[i] = Float(Double(sums[i]) * (1 / scale)) }
  }
}
