/// Small whole numbers, one for each frame of a block, in as few bits as they all fit into: 2, 4 or 8.
enum ResidualBits {
  /// How many bits numbers take; `nil`: more than eight.
  ///
  /// - Parameters:
  ///   - two: Each number plus 2, all or-ed together.
  ///   - four: The same, plus 8.
  ///   - eight: The same, plus 128.
  @_noLocks static func bits(two: UInt32, four: UInt32, eight: UInt32) -> Int? {
    if two < 4 { return 2 }
    if four < 16 { return 4 }
    return eight < 256 ? 8 : nil
  }

  /// Packs 64 numbers where they are.
  ///
  /// - Returns: How many bytes they take: a multiple of 16.
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

  /// Unpacks numbers of 2 or 4 bits.
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
