import RenderCore

/// A comb filter with a low-pass filter in its feedback.
///
/// Realtime: yes, except for creation.
struct ResonatorString: BitwiseCopyable {
  private var line: DelayLine
  /// The previous output of the low-pass filter.
  private var tone: Float = 0

  /// - Parameter maximumDelay: The longest period in frames.
  init(maximumDelay: Int, in memory: RenderMemory) {
    line = DelayLine(maximumDelay: maximumDelay, in: memory)
  }

  /// Silences the string.
  ///
  /// - Parameter maximumDelay: The maximum delay that will be read, in frames. Older samples are kept.
  @_noLocks mutating func reset(maximumDelay: Int) {
    line.clear(frames: maximumDelay)
    tone = 0
  }

  /// Processes one frame and returns the string's output.
  @_noLocks mutating func next(
    _ input: Float, _ taps: CubicTaps, _ feedback: Float, _ damping: LowPass
  ) -> Float {
    let sample = input + damping.process(line.read(taps), &tone) * feedback
    line.write(sample)
    return sample
  }
}
