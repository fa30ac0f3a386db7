/// Passes on rendered cycles: drops those before the range, and trims the tail.
struct TailTrimmer {
  private let range: FrameRange
  private var trimmer: SilenceTrimmer
  /// The number of frames processed so far.
  private var frames = 0

  init(_ range: FrameRange, sampleRate: Int) {
    self.range = range
    trimmer = SilenceTrimmer(sampleRate: sampleRate)
  }

  /// Whether the tail has been silent for a second, which is its end unless a voice is active.
  var isSilent: Bool { range.endsInSilence && trimmer.isSilent }
  /// Whether the tail is still audible at its present end.
  var isAudible: Bool { range.endsInSilence && trimmer.isAudible }

  /// Processes the next cycle, which does not cross a border of the range.
  mutating func process(
    _ channels: [UnsafeBufferPointer<Float>], _ output: ([UnsafeBufferPointer<Float>]) -> Void
  ) {
    let begin = frames
    frames += channels[0].count
    if begin < range.start { return }
    if range.endsInSilence, begin >= range.end {
      trimmer.add(channels, output)
    } else {
      output(channels)
    }
  }
}
