/// A set of sounds, by their numbers.
struct SoundSet {
  private var bits = InlineArray<4, UInt64>(repeating: 0)

  /// - Returns: Whether the sound was not in the set.
  mutating func insert(_ sound: UInt8) -> Bool {
    let (word, bit) = (Int(sound >> 6), UInt64(1) << UInt64(sound & 63))
    defer { bits[word] |= bit }
    return bits[word] & bit == 0
  }

  mutating func remove(_ sound: UInt8) {
    bits[Int(sound >> 6)] &= ~(UInt64(1) << UInt64(sound & 63))
  }

  func contains(_ sound: UInt8) -> Bool {
    bits[Int(sound >> 6)] & UInt64(1) << UInt64(sound & 63) != 0
  }
}
