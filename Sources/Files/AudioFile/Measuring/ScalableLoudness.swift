import Glibc

/// Measures the loudness and the true peak of stereo, and says how loud it would be with another gain.
///
/// That is not its loudness and the gain: what is below −70 LUFS does not count, and with more gain
/// there is less of it. So the loudness of every block of 0.4 s is kept: 300 kB for each hour.
///
/// Realtime: no, it allocates. Threads: one at a time.
///
/// Source: ITU-R BS.1770-4, annex 1, "gating".
public struct ScalableLoudness: ~Copyable {
  private var meter: LoudnessMeter
  /// Frames from block to block, of which each is four times as long: a tenth of a second.
  private let step: Int
  private var frames = 0
  /// The power of each block.
  private var blocks: [Double] = []

  /// - Parameter sampleRate: Frames per second, 16…2 822 400.
  /// - Returns: `nil` for another rate, or if there is no memory.
  public init?(sampleRate: Int) {
    guard let meter = LoudnessMeter(sampleRate: sampleRate) else { return nil }
    self.meter = meter
    step = (sampleRate + 5) / 10
  }

  /// Appends frames.
  ///
  /// - Parameter samples: Left and right side by side; full scale is ±1.
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

  /// The highest level between and at the samples, linear; see ``LoudnessMeter/truePeak``.
  public var truePeak: Double { meter.truePeak ?? 0 }

  /// Integrated loudness in LUFS with a gain; `nil` for silence, or less than 0.4 s of sound.
  ///
  /// - Parameter gain: Decibels.
  public func integratedLoudness(gain: Double = 0) -> Double? {
    // 10 dB below the mean of all that can be heard at all, it does not count either.
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
