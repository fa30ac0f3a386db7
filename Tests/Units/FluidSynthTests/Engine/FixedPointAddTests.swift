import CFluidSynthOverrides
import CRender
import RenderCore
import TestSupport
import Testing

/// Compares the widest vectors with single samples.
@Suite(.timeLimit(.minutes(5))) struct FixedPointAddTests {
  @Test(arguments: [0, 1, 3, 7, 8, 15, 64, 100, 1024])
  func `vectors and single samples have equal sums`(count: Int) {
    var random = Seeded(UInt64(count))
    var samples = (0..<count).map { _ in
      Float(
        sign: Bool.random(using: &random) ? .plus : .minus,
        exponent: Int.random(in: -149..<11, using: &random),
        significand: Float.random(in: 1..<2, using: &random))
    }
    // Halves of the last place, the smallest number, and negative zero.
    for (i, sample) in [0x1p-41 as Float, 0x3p-41, -0x5p-41, .leastNonzeroMagnitude, -0]
      .enumerated()
    where i < count { samples[i] = sample }
    var wide = (0..<count).map { _ in Int64.random(in: -1 << 50..<1 << 50, using: &random) }
    var single = wide
    fixed_point_add(samples, &wide, count)
    FixedPoint.add(samples, to: &single, count: count)
    #expect(wide == single)
  }

  @Test func `weighted sums are rounded as in Swift`() {
    var random = Seeded(3)
    let (a, b) = (
      (0..<100).map { _ in Float.random(in: -1...1, using: &random) },
      (0..<100).map { _ in Float.random(in: -1...1, using: &random) }
    )
    let steps = (0..<100).map { _ in Int8.random(in: -128...127, using: &random) }
    var sums = [Float](repeating: 0, count: 100)
    weighted_sum(a, 0.7, b, 0.31, nil, &sums, 100)
    let expected = (0..<100).map { 0.7 * a[$0] + 0.31 * b[$0] }
    #expect(sums == expected)
    weighted_sum(a, 0.7, b, 0.31, steps, &sums, 100)
    #expect(
      (0..<100).allSatisfy {
        Int32(bitPattern: sums[$0].bitPattern)
          == Int32(bitPattern: expected[$0].bitPattern) &+ Int32(steps[$0])
      })
  }
}
