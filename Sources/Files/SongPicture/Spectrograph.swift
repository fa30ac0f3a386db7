import Glibc

/// Makes spectra of stereo while it goes by: the power in bands of equal musical width.
///
/// Two transforms of one length, one over the sound as it is and one over a quarter of its frames: the
/// first sees when something sounds, the second tells deep notes apart. Both channels go through each
/// at once, as the real and the imaginary part; their powers add up.
struct Spectrograph: ~Copyable {
  /// The deepest and the highest frequency, in hertz.
  static let range = 30.0...20_000.0
  /// Frames that become one for the second transform. Their mean is filter enough: what it folds down is
  /// above 10 kHz, and dampened by 25 dB or more.
  private static let reduction = 4

  private(set) var columns: SpectrumColumns
  private let transform: Transform
  private let high: FrequencyBands
  private let low: FrequencyBands
  /// How much the first counts in each band, against the second.
  private let shares: [Float]
  /// Left and right side by side; the first is at frame `begin`.
  private var samples: [Float]
  private var reduced: [Float]
  private var begin: Int
  private var frames = 0
  private var spectrum: [Float]

  /// - Parameters:
  ///   - wanted: How many columns a picture needs.
  ///   - bands: How many it has from the bottom to the top.
  init(wanted: Int, bands: Int, expectedFrames: Int, sampleRate: Int) {
    // 30 to 60 ms at any rate.
    var length = 256
    while length * 24 < sampleRate { length *= 2 }
    transform = Transform(length: length)
    high = FrequencyBands(bands: bands, sampleRate: Double(sampleRate), length: length)
    low = FrequencyBands(
      bands: bands, sampleRate: Double(sampleRate) / Double(Self.reduction), length: length)
    shares = (0..<bands).map { band in
      let octaves = log2(FrequencyBands.frequency(Double(band) + 0.5, of: bands) / 350)
      return Float(min(max(octaves / 2, 0), 1))
    }
    columns = SpectrumColumns(
      wanted: wanted, bands: bands, expectedFrames: expectedFrames,
      hops: max(8, sampleRate / 1500)...max(16, sampleRate / 6))
    begin = -Self.reduction * length / 2
    samples = Array(repeating: 0, count: Self.reduction * length)
    reduced = Array(repeating: 0, count: length)
    spectrum = Array(repeating: 0, count: bands)
  }

  /// - Parameter samples: Left and right side by side.
  mutating func add(interleaved new: UnsafeBufferPointer<Float>) {
    frames += new.count / 2
    append(new)
    advance()
  }

  /// Makes the spectra at the end, beyond which there is silence.
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

  /// Makes all spectra whose sound is there, and lets go of the sound before the next.
  private mutating func advance() {
    let length = transform.length
    while columns.nextCenter < frames {
      let place = columns.nextCenter - begin
      let last = (place / Self.reduction + length / 2) * 2
      if last > reduced.count { break }
      transform.run(samples, from: 2 * (place - length / 2))
      for band in shares.indices { spectrum[band] = shares[band] * high.power(transform, band) }
      transform.run(reduced, from: last - 2 * length)
      for band in shares.indices {
        spectrum[band] += (1 - shares[band]) * low.power(transform, band)
      }
      columns.add(spectrum)
    }
    let needed = columns.nextCenter - begin - Self.reduction * length / 2
    let surplus = min(needed / Self.reduction, reduced.count / 2)
    if surplus > 2048 {
      samples.removeFirst(2 * Self.reduction * surplus)
      reduced.removeFirst(2 * surplus)
      begin += Self.reduction * surplus
    }
  }
}
