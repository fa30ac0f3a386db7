/// Packs small integers, one per frame of a block, into the smallest size that holds all of them: 2, 4 or 8 bits each.
enum ResidualBits {
  /// Returns the number of bits per integer; `nil` if more than 8 are needed.
  ///
  /// - Parameters:
  ///   - two: The bitwise OR of each integer plus 2.
  ///   - four: The bitwise OR of each integer plus 8.
  ///   - eight: The bitwise OR of each integer plus 128.
  @_noLocks static func bits(two: UInt32, four: UInt32, eight: UInt32) -> Int? {
    if two < 4 { return 2 }
    if four < 16 { return 4 }
    return eight < 256 ? 8 : nil
  }

  /// Packs 64 integers in place.
  ///
  /// - Returns: The packed size in bytes: a multiple of 16.
  @_noLocks static func pack(_ steps: UnsafeMutablePointer<Int8>, bits: Int) -> Int {
    switch bits {
    case 2:
      for i in 0..<16 {
        let low = steps[i] &+ 2 | (steps[i + 16] &+ 2) << 2
        steps[i] = low | (steps[i + 32] &+ 2) << 4 | (steps[i + 48] &+ 2) << 6
      }
      return 16
    case 4:
      for i in 0..<32 { steps[i] = steps[i] &+ 8 | (steps[i + 32] &+ 8) << 4 }
      return 32
    default: return Lane.blockFrames
    }
  }

  /// Unpacks 64 integers of 2 or 4 bits.
  @_noLocks static func unpack(
    _ packed: UnsafePointer<UInt8>, bits: Int, to steps: UnsafeMutablePointer<Int8>
  ) {
    if bits == 2 {
      for i in 0..<16 {
        steps[i] = Int8(bitPattern: packed[i] & 3) &- 2
        steps[i + 16] = Int8(bitPattern: packed[i] >> 2 & 3) &- 2
        steps[i + 32] = Int8(bitPattern: packed[i] >> 4 & 3) &- 2
        steps[i + 48] = Int8(bitPattern: packed[i] >> 6) &- 2
      }
    } else {
      for i in 0..<32 {
        steps[i] = Int8(bitPattern: packed[i] & 15) &- 8
        steps[i + 32] = Int8(bitPattern: packed[i] >> 4) &- 8
      }
    }
  }
}
