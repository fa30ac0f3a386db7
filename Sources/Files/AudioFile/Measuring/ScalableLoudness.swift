import CEBUR128
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
    self.init(meter, step: (sampleRate + 5) / 10)
  }

  private init(_ meter: consuming LoudnessMeter, step: Int) {
    self.meter = meter
    self.step = step
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

/// Measures the loudness and the true peak of stereo.
///
/// The result does not depend on block lengths. Memory is constant.
///
/// Realtime: no, it allocates. Threads: one at a time.
///
/// Source: ITU-R BS.1770-4 (loudness, and true peak by four-fold oversampling), EBU R 128.
public struct LoudnessMeter: ~Copyable {
  private let state: UnsafeMutablePointer<ebur128_state>
  private let measuresTruePeak: Bool

  /// Creates a meter.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second, 16…2 822 400.
  ///   - truePeak: Whether to measure the true peak, which takes five times as long as loudness alone.
  /// - Returns: `nil` for another rate, or if memory cannot be allocated.
  public init?(sampleRate: Int, truePeak: Bool = true) {
    guard let rate = UInt(exactly: sampleRate) else { return nil }
    // A histogram for the gate's history: constant memory, with a resolution of 0.1 dB.
    var mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
    if truePeak { mode |= EBUR128_MODE_TRUE_PEAK.rawValue }
    guard let state = ebur128_init(2, rate, CInt(mode)) else { return nil }
    self.state = state
    measuresTruePeak = truePeak
  }

  /// Appends frames.
  ///
  /// - Parameter samples: Interleaved left and right samples; full scale is ±1.
  public mutating func add(interleaved samples: Span<Float>) {
    samples.withUnsafeBufferPointer { buffer in
      // This only fails if memory cannot be allocated; the results then lack this block.
      _ = ebur128_add_frames_float(state, buffer.baseAddress, buffer.count / 2)
    }
  }

  /// The loudness of the last 0.4 s in LUFS; −∞ for silence.
  package var momentaryLoudness: Double {
    var value = 0.0
    return ebur128_loudness_momentary(state, &value) == 0 ? value : -.infinity
  }

  /// The integrated loudness in LUFS; `nil` for silence, or less than 0.4 s of sound.
  public var integratedLoudness: Double? {
    var value = 0.0
    guard ebur128_loudness_global(state, &value) == 0, value.isFinite else { return nil }
    return value
  }

  /// The highest level at and between the samples, linear: 1 is full scale, 0 dBTP; `nil` if not measured.
  ///
  /// Four-fold oversampling may read up to 0.7 dB too low at the highest frequencies
  /// (BS.1770-4, annex 2), but never below the sample peak.
  public var truePeak: Double? {
    if !measuresTruePeak { return nil }
    return (0..<2).reduce(0.0) { highest, channel in
      var value = 0.0
      _ = ebur128_true_peak(state, UInt32(channel), &value)
      return max(highest, value)
    }
  }

  deinit {
    var state: UnsafeMutablePointer<ebur128_state>? = state
    ebur128_destroy(&state)
  }
}
