import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct FixedPointTests {
  @Test func `a sample is rounded to the nearest 2⁻⁴⁰`() {
    let values: [Float] = [0, 1, -1, 0.5, 1e-3, -1e-3, 1e-12, 3e-13, -4e-13, 1234.5678, -2047.5]
    var sums = [Int64](repeating: 0, count: values.count)
    FixedPoint.add(values, to: &sums, count: values.count)
    for (value, sum) in zip(values, sums) {
      #expect(abs(Double(sum) / FixedPoint.scale - Double(value)) <= 0x1p-41)
    }
  }

  @Test func `the sum does not depend on the order or grouping of additions`() {
    let a: [Float] = [0.1, 1e-7, 100]
    let b: [Float] = [-0.3, 1, -100.000_01]
    let c: [Float] = [1e-9, -1, 3.3]
    var together = [Int64](repeating: 0, count: 3)
    for source in [a, b, c] { FixedPoint.add(source, to: &together, count: 3) }
    var one = [Int64](repeating: 0, count: 3)
    var other = one
    FixedPoint.add(c, to: &one, count: 3)
    FixedPoint.add(b, to: &other, count: 3)
    FixedPoint.add(a, to: &other, count: 3)
    FixedPoint.add(other, to: &one, count: 3)
    #expect(one == together)
  }

  @Test func `a stored value is read back unchanged`() {
    let values: [Float] = [0, 0.25, -0.75, 1.5]
    var sums = [Int64](repeating: 0, count: 4)
    var result = [Float](repeating: .nan, count: 4)
    FixedPoint.add(values, to: &sums, count: 4)
    FixedPoint.store(sums, in: &result, count: 4)
    #expect(result == values)
  }
}
