/// A comb filter with a low-pass filter in its feedback.
///
/// Realtime: yes, except for creation and destruction.
struct ResonatorString: BitwiseCopyable {
  private var line: DelayLine
  /// The previous output of the low-pass filter.
  private var tone: Float = 0

  /// Allocates the delay line. ``destroy()`` must be called at the end.
  ///
  /// - Parameter maximumDelay: The longest period in frames.
  init(maximumDelay: Int) { line = DelayLine(maximumDelay: maximumDelay) }

  func destroy() { line.destroy() }

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
