/// A comb filter with a low-pass in its feedback.
///
/// Realtime: yes, apart from making and destroying it.
struct ResonatorString: BitwiseCopyable {
  private var line: DelayLine
  /// What the low-pass let out last.
  private var tone: Float = 0

  /// Allocates. ``destroy()`` must follow.
  ///
  /// - Parameter longest: Frames of the longest period.
  init(longest: Int) { line = DelayLine(longest: longest) }

  func destroy() { line.destroy() }

  /// Comes to rest.
  ///
  /// - Parameter longest: Frames up to which it will be read.
  @_noLocks mutating func rest(longest: Int) {
    line.clear(frames: longest)
    tone = 0
  }

  @_noLocks mutating func next(
    _ input: Float, _ taps: CubicTaps, _ feedback: Float, _ damping: LowPass
  ) -> Float {
    let sample = input + damping.process(line.read(taps), &tone) * feedback
    line.write(sample)
    return sample
  }
}
