import Glibc
import Testing

@testable import OfflineRenderer

private let bands = 100

private func tone(_ frequency: Double, frames: Int, level: Float = 1, rate: Double = 48_000)
  -> [Float]
{
  (0..<frames).flatMap { frame in
    let sample = level * Float(sin(2 * .pi * frequency / rate * Double(frame)))
    return [sample, sample]
  }
}

private func spectra(
  _ samples: [Float], framesPerBlock: Int = 4096, expected: Int? = nil, rate: Int = 48_000
) -> SpectrumColumns {
  var graph = Spectrograph(
    wanted: 20, bands: bands, expectedFrames: expected ?? samples.count / 2, sampleRate: rate)
  for start in stride(from: 0, to: samples.count, by: 2 * framesPerBlock) {
    let block = samples[start..<min(start + 2 * framesPerBlock, samples.count)]
    block.withUnsafeBufferPointer { graph.add(interleaved: $0) }
  }
  graph.finish()
  return graph.columns
}

private func spectrum(_ columns: SpectrumColumns, _ index: Int) -> [Float] {
  Array(columns.powers[index * columns.bands..<(index + 1) * columns.bands])
}

@Test(arguments: [8000, 44_100, 48_000, 96_000], [60.0, 200, 440, 700, 1000, 3000])
func `a tone is loudest in its own band, at its level`(rate: Int, frequency: Double) throws {
  let columns = spectra(
    tone(frequency, frames: rate, level: 0.1, rate: Double(rate)), rate: rate)
  let middle = spectrum(columns, columns.count / 2)
  let loudest = try #require(middle.indices.max { middle[$0] < middle[$1] })
  let expected = FrequencyBands.height(frequency) * Double(bands)
  #expect(abs(Double(loudest) + 0.5 - expected) <= 1.5)
  let decibels = 10 * log10(middle[max(0, loudest - 1)...loudest + 1].reduce(0, +))
  // Bands narrower than the transform's frequency resolution overlap.
  #expect(abs(decibels + 20) < 5)
}

@Test func `each channel counts, and opposite ones do not cancel`() {
  let both = tone(1000, frames: 48_000)
  let left = both.enumerated().map { $0.offset.isMultiple(of: 2) ? $0.element : 0 }
  let opposite = both.enumerated().map { $0.offset.isMultiple(of: 2) ? $0.element : -$0.element }
  let band = Int(FrequencyBands.height(1000) * Double(bands))
  let (a, b, c) = (spectra(both), spectra(left), spectra(opposite))
  let power = spectrum(a, 10)[band]
  #expect(abs(spectrum(b, 10)[band] / power - 0.5) < 0.01)
  #expect(abs(spectrum(c, 10)[band] / power - 1) < 0.01)
}

@Test func `each spectrum is at its time`() {
  let samples = tone(1000, frames: 24_000) + [Float](repeating: 0, count: 48_000)
  let columns = spectra(samples)
  let band = Int(FrequencyBands.height(1000) * Double(bands))
  let loud = (0..<columns.count).filter { spectrum(columns, $0)[band] > 0.01 }
  #expect(loud == Array(0..<10) || loud == Array(0..<11))
}

@Test func `spectra do not depend on blocks`() {
  let samples = tone(333, frames: 30_000)
  let one = spectra(samples, framesPerBlock: 30_000)
  for framesPerBlock in [1, 7, 1000, 4096] {
    #expect(spectra(samples, framesPerBlock: framesPerBlock).powers == one.powers)
  }
}

@Test func `a song longer than expected has coarser columns, and no more memory`() {
  let samples = tone(1000, frames: 200_000)
  let columns = spectra(samples, expected: 500)
  #expect(columns.count < 40 && columns.count * columns.framesPerColumn >= 190_000)
  let band = Int(FrequencyBands.height(1000) * Double(bands))
  for index in 1..<columns.count - 1 { #expect(spectrum(columns, index)[band] > 0.3) }
}
