/// What the actors of a soak did: the last steps, and a digest of all.
struct SoakJournal {
  private(set) var steps = 0
  private(set) var last: [String] = []
  /// The 64-bit FNV-1a hash of all steps.
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ step: String) {
    steps += 1
    last = last.suffix(19) + [step]
    for byte in step.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
