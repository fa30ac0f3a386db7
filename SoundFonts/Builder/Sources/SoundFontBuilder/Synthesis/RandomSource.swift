/// Random numbers that are the same on every machine.
///
/// Each sound is given its own source, seeded with its name: changing one instrument leaves the
/// bytes of all others alone.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct RandomSource: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// FNV-1a over the name's bytes, since `Hashable` is seeded anew by each process.
  init(_ name: String) {
    state = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Uniform in 0..<1, from the upper 53 bits.
  mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  /// Uniform in -1..<1: white noise, one sample at a time.
  mutating func bipolar() -> Double { 2 * unit() - 1 }

  /// A phase in radians.
  mutating func phase() -> Double { unit() * Mathematics.twoPi }

  /// Near enough to a normal distribution with deviation 1: the sum of twelve uniforms.
  mutating func gaussian() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + unit() } }
}
