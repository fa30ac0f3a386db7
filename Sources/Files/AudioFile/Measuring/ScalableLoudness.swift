import Glibc

/// Measures the loudness and the true peak of stereo, and calculates the loudness for another gain.
///
/// That is not simply the loudness plus the gain: blocks below −70 LUFS are not counted, and a gain changes which
/// blocks these are. Therefore the loudness of every block of 0.4 s is stored: 300 kB per hour.
///
/// Realtime: no, it allocates. Threads: one at a time.
///
/// Source: ITU-R BS.1770-4, annex 1, "gating".
public struct ScalableLoudness: ~Copyable {
  private var meter: LoudnessMeter
  /// Frames from one block to the next: a tenth of a second. Each block is four times as long.
  private let step: Int
  private var frames = 0
  /// The power of each block.
  private var blocks: [Double] = []

  /// - Parameter sampleRate: Frames per second, 16…2 822 400.
  /// - Returns: `nil` for another rate, or if memory cannot be allocated.
  public init?(sampleRate: Int) {
    guard let meter = LoudnessMeter(sampleRate: sampleRate) else { return nil }
    self.meter = meter
    step = (sampleRate + 5) / 10
  }

  /// Appends frames.
  ///
  /// - Parameter samples: Interleaved left and right samples; full scale is ±1.
  public mutating func add(interleaved samples: Span<Float>) {
    var next = 0
    while next < samples.count {
      let count = min(step - frames % step, (samples.count - next) / 2)
      meter.add(interleaved: samples.extracting(next..<next + 2 * count))
      next += 2 * count
      frames += count
      if frames.isMultiple(of: step), frames >= 4 * step {
        blocks.append(Self.power(meter.momentaryLoudness))
      }
    }
  }

  /// The highest level at and between the samples, linear; see ``LoudnessMeter/truePeak``.
  public var truePeak: Double { meter.truePeak ?? 0 }

  /// Returns the integrated loudness in LUFS with a gain; `nil` for silence, or less than 0.4 s of sound.
  ///
  /// - Parameter gain: Decibels.
  public func integratedLoudness(gain: Double = 0) -> Double? {
    // The relative gate: blocks 10 dB below the mean of all blocks above the absolute gate do not count.
    let audible = Self.power(-70 - gain)
    guard let mean = Self.mean(blocks, above: audible) else { return nil }
    return Self.mean(blocks, above: max(audible, mean / 10)).map { 10 * log10($0) + gain }
  }

  private static func mean(_ blocks: [Double], above limit: Double) -> Double? {
    var (sum, count) = (0.0, 0)
    for block in blocks where block >= limit {
      sum += block
      count += 1
    }
    return count > 0 ? sum / Double(count) : nil
  }

  private static func power(_ loudness: Double) -> Double { pow(10, loudness / 10) }
}
