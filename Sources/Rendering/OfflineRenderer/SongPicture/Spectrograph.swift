import Glibc

/// Calculates spectra of streamed stereo: the power in bands of equal musical width.
///
/// It uses two transforms of the same length, one of the signal and one of the signal at a quarter of the rate. The
/// first has the better time resolution, the second the better resolution of low frequencies. Both channels are
/// transformed at once, as the real and the imaginary part; their powers are added.
struct Spectrograph: ~Copyable {
  /// The lowest and the highest frequency, in hertz.
  static let range = 30.0...20_000.0
  /// The decimation factor of the second transform. Averaging is a sufficient filter: aliased frequencies are above
  /// 10 kHz and attenuated by at least 25 dB.
  private static let reduction = 4

  private(set) var columns: SpectrumColumns
  private let transform: Transform
  private let high: FrequencyBands
  private let low: FrequencyBands
  /// The weight of the first transform in each band; the second has the rest.
  private let weights: [Float]
  /// Interleaved left and right samples, from frame `firstFrame` on.
  private var samples: [Float]
  private var reduced: [Float]
  private var firstFrame: Int
  private var frames = 0
  private var spectrum: [Float]

  /// Creates a spectrograph.
  ///
  /// - Parameters:
  ///   - wanted: The number of columns that a picture needs.
  ///   - bands: The number of bands, from bottom to top.
  init(wanted: Int, bands: Int, expectedFrames: Int, sampleRate: Int) {
    // 30…60 ms at any sample rate.
    var length = 256
    while length * 24 < sampleRate { length *= 2 }
    transform = Transform(length: length)
    high = FrequencyBands(bands: bands, sampleRate: Double(sampleRate), length: length)
    low = FrequencyBands(
      bands: bands, sampleRate: Double(sampleRate) / Double(Self.reduction), length: length)
    weights = (0..<bands).map { band in
      let octaves = log2(FrequencyBands.frequency(Double(band) + 0.5, of: bands) / 350)
      return Float(min(max(octaves / 2, 0), 1))
    }
    columns = SpectrumColumns(
      wanted: wanted, bands: bands, expectedFrames: expectedFrames,
      hops: max(8, sampleRate / 1500)...max(16, sampleRate / 6))
    firstFrame = -Self.reduction * length / 2
    samples = Array(repeating: 0, count: Self.reduction * length)
    reduced = Array(repeating: 0, count: length)
    spectrum = Array(repeating: 0, count: bands)
  }

  /// Adds frames.
  ///
  /// - Parameter new: Interleaved left and right samples.
  mutating func add(interleaved new: UnsafeBufferPointer<Float>) {
    frames += new.count / 2
    append(new)
    advance()
  }

  /// Calculates the last spectra, with silence after the end.
  mutating func finish() {
    let silence = [Float](repeating: 0, count: Self.reduction * transform.length + 8)
    silence.withUnsafeBufferPointer { append($0) }
    advance()
    columns.finish()
  }

  private mutating func append(_ new: UnsafeBufferPointer<Float>) {
    samples.append(contentsOf: new)
    let step = 2 * Self.reduction
    let first = reduced.count / 2
    let count = samples.count / step - first
    reduced.append(contentsOf: repeatElement(0, count: 2 * count))
    samples.withUnsafeBytes { samples in
      reduced.withUnsafeMutableBufferPointer { reduced in
        for frame in first..<first + count {
          let four = samples.loadUnaligned(fromByteOffset: 4 * step * frame, as: SIMD8<Float>.self)
          let two = four.lowHalf + four.highHalf
          let one = (two.lowHalf + two.highHalf) / 4
          reduced[2 * frame] = one.x
          reduced[2 * frame + 1] = one.y
        }
      }
    }
  }

  /// Calculates all spectra for which enough samples are available, and removes samples that are no longer needed.
  private mutating func advance() {
    let length = transform.length
    while columns.nextCenter < frames {
      let center = columns.nextCenter - firstFrame
      let last = (center / Self.reduction + length / 2) * 2
      if last > reduced.count { break }
      transform.run(samples, from: 2 * (center - length / 2))
      for band in weights.indices { spectrum[band] = weights[band] * high.power(transform, band) }
      transform.run(reduced, from: last - 2 * length)
      for band in weights.indices {
        spectrum[band] += (1 - weights[band]) * low.power(transform, band)
      }
      columns.add(spectrum)
    }
    let needed = columns.nextCenter - firstFrame - Self.reduction * length / 2
    let surplus = min(needed / Self.reduction, reduced.count / 2)
    if surplus > 2048 {
      samples.removeFirst(2 * Self.reduction * surplus)
      reduced.removeFirst(2 * surplus)
      firstFrame += Self.reduction * surplus
    }
  }
}
