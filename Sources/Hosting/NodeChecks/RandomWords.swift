import NodeProtocol

/// Random words, the same in each check, many of them at the ends of what is allowed.
struct RandomWords {
  private var state: UInt64 = 1
  private static let odd: [UInt32] = [
    0, 1, .max, 1 << 31, 64, 65, 4096, 4097, 0x7FC0_0000, 0x7F80_0000,
  ]

  mutating func word() -> UInt32 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt32(truncatingIfNeeded: state >> 33)
  }

  /// Writes 64 words: half of them to the header and the first transports and events, which are read in each cycle.
  mutating func write(to segment: Segment) {
    for index in 0..<64 {
      let size = index % 2 == 0 ? min(8192, segment.layout.size) : segment.layout.size
      let offset = Int(word()) % (size / 4) * 4
      let value = word()
      if Segment.turnOffsets.contains(offset) { continue }
      segment.store(
        value % 2 == 0 ? word() : Self.odd[Int(word()) % Self.odd.count], at: offset)
    }
  }
}
