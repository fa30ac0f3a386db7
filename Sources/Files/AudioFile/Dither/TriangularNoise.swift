/// Noise of triangular density, two units wide to either side's one: dither.
///
/// It comes from SplitMix64, so the same seed gives the same noise.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
struct TriangularNoise {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// The difference of two uniform numbers: −1…1, 0 the most probable.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    let upper = Int64(bits >> 32)
    let lower = Int64(bits & 0xFFFF_FFFF)
    return Double(upper - lower) * 0x1p-32
  }
}
