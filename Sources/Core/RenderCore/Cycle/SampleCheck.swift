// Samples that cross a process boundary are checked, because NaN and infinity spread through mixers and filters.
extension Sample {
  /// Replaces samples that are infinite or NaN by 0.
  ///
  /// Realtime: yes. If all samples are valid, it reads each once, four or more at a time.
  ///
  /// - Returns: The number of samples replaced.
  @_noLocks package static func silenceInvalid(
    _ samples: UnsafeMutablePointer<Float>, count: Int
  ) -> Int {
    // Only an exponent of all ones carries into the sign bit.
    var carry: UInt32 = 0
    for index in 0..<count {
      carry |= (samples[index].bitPattern & Self.exponent) &+ Self.exponentUnit
    }
    return carry >> 31 == 0 ? 0 : replaceInvalid(samples, count: count)
  }

  @_noLocks private static func replaceInvalid(
    _ samples: UnsafeMutablePointer<Float>, count: Int
  ) -> Int {
    var replaced = 0
    for index in 0..<count where samples[index].bitPattern & Self.exponent == Self.exponent {
      samples[index] = 0
      replaced += 1
    }
    return replaced
  }

  private static var exponent: UInt32 { @_noLocks get { 0x7F80_0000 } }
  private static var exponentUnit: UInt32 { @_noLocks get { 0x0080_0000 } }
}
