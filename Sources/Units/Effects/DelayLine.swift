import RenderCore

/// A circular buffer of past samples.
///
/// Realtime: yes, except for creation.
struct DelayLine: BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  /// The length of the buffer, a power of two, minus 1.
  private let mask: Int
  private var position = 0

  /// - Parameter maximumDelay: The maximum delay to read, in frames.
  init(maximumDelay: Int, in memory: RenderMemory) {
    var count = 16
    while count < maximumDelay + CubicTaps.reach { count *= 2 }
    mask = count - 1
    samples = memory.make(count, of: 0)
  }

  /// Writes the next sample, which can then be read with a delay of 1.
  @_noLocks mutating func write(_ sample: Float) {
    samples[position] = Denormals.sample(sample)
    position = (position + 1) & mask
  }

  /// Returns the sample written `delay` frames ago.
  ///
  /// - Parameter delay: In frames, 1 or more.
  @_noLocks func read(_ delay: Int) -> Float { samples[(position - delay) & mask] }

  /// Returns the interpolated sample at a fractional delay.
  @_noLocks func read(_ taps: CubicTaps) -> Float {
    let newest = position - taps.whole + 1
    return samples[newest & mask] * taps.before + samples[(newest - 1) & mask] * taps.at
      + samples[(newest - 2) & mask] * taps.after + samples[(newest - 3) & mask] * taps.last
  }

  /// Replaces the last `frames` frames with silence; at least one.
  @_noLocks func clear(frames: Int) {
    for delay in 1...min(max(1, frames), mask + 1) { samples[(position - delay) & mask] = 0 }
  }
}

/// The taps of an interpolated read between two frames: third-order Lagrange interpolation through the two samples
/// on either side of the position.
///
/// No frequency is amplified. Up to a twelfth of the sample rate, the level is accurate within 0.1 dB and the delay
/// within a ten-thousandth of a frame.
///
/// Realtime: yes.
struct CubicTaps: BitwiseCopyable {
  let whole: Int
  let before: Float
  let at: Float
  let after: Float
  let last: Float

  /// The minimum delay that has two samples on either side.
  static var shortest: Double { @_noLocks get { 2 } }
  /// The number of frames beyond the delay that may be read.
  static var reach: Int { @_noLocks get { 4 } }

  /// - Parameter delay: In frames, ``shortest`` or more.
  @_noLocks init(delay: Double) {
    whole = Int(delay)
    let part = Float(delay - Double(whole))
    before = -part * (part - 1) * (part - 2) / 6
    at = (part + 1) * (part - 1) * (part - 2) / 2
    after = -part * (part + 1) * (part - 2) / 2
    last = part * (part + 1) * (part - 1) / 6
  }
}
