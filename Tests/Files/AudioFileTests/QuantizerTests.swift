import Testing

@testable import AudioFile

private func quantized(_ samples: [Float], seed: UInt64 = 1) -> [Int16] {
  var quantizer = Quantizer(seed: seed)
  var result = [Int16](repeating: 0, count: samples.count)
  quantizer.convert(samples, count: samples.count, to: &result)
  return result
}

private let count = 50_000

/// With triangular dither, the error has a mean of 0 and a variance of 1/4, for any value between two steps.
@Test(arguments: [Float(0), 0.125, 0.25, 0.5, 0.75, -0.3, 1000.5, -20000.25])
func `16-bit error has no mean and constant power`(level: Float) {
  let errors = quantized(Array(repeating: level / 32768, count: count)).map {
    Double($0) - Double(level)
  }
  let mean = errors.reduce(0, +) / Double(count)
  let variance = errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
  // The bounds are five standard deviations of each estimate.
  #expect(abs(mean) < 5 * 0.5 / Double(count).squareRoot())
  #expect(abs(variance - 0.25) < 0.012)
}

@Test func `16-bit errors of neighbours are unrelated`() {
  let errors = quantized(Array(repeating: 0.3 / 32768, count: count)).map { Double($0) - 0.3 }
  for lag in 1...4 {
    let product = zip(errors, errors.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 }
    #expect(abs(product / Double(count) / 0.25) < 0.025)
  }
}

@Test func `a tone below one step survives 16 bits`() {
  let tone = (0..<count).map { $0 / 50 % 2 == 0 ? Float(0.3 / 32768) : Float(-0.3 / 32768) }
  let match = zip(quantized(tone), tone).reduce(0) { $0 + Double($1.0) * ($1.1 > 0 ? 1 : -1) }
  #expect(abs(match / Double(count) - 0.3) < 0.012)
}

@Test func `the seed decides the dither`() {
  let silence = [Float](repeating: 0, count: 1000)
  #expect(quantized(silence, seed: 7) == quantized(silence, seed: 7))
  #expect(quantized(silence, seed: 7) != quantized(silence, seed: 8))
}

@Test func `24 bits round to the nearest and stop at full scale`() {
  let step = Float(1.0 / 8_388_608)
  let samples: [Float] = [0, step, 0.4 * step, -0.6 * step, 1, 2, -1, -2]
  var result = [Int32](repeating: 0, count: samples.count)
  Quantizer(seed: 0).convert(samples, count: samples.count, to: &result)
  #expect(
    result.map { $0 >> 8 } == [0, 1, 0, -1, 8_388_607, 8_388_607, -8_388_608, -8_388_608])
}
