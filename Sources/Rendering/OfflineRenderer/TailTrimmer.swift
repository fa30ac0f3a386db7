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
    if begin < range.fade.upperBound, range.fade.lowerBound < frames {
      fade(channels, at: begin) { pass($0, at: begin, output) }
    } else {
      pass(channels, at: begin, output)
    }
  }

  private mutating func pass(
    _ channels: [UnsafeBufferPointer<Float>], at begin: Int,
    _ output: ([UnsafeBufferPointer<Float>]) -> Void
  ) {
    if range.endsInSilence, begin >= range.end {
      trimmer.add(channels, output)
    } else {
      output(channels)
    }
  }

  /// Passes faded channels to `body`: linearly, from full level at the beginning of the fade to silence at its end.
  private func fade(
    _ channels: [UnsafeBufferPointer<Float>], at begin: Int,
    _ body: ([UnsafeBufferPointer<Float>]) -> Void
  ) {
    let count = channels[0].count
    let length = Float(range.fade.count)
    var faded: [Float] = []
    faded.reserveCapacity(count * channels.count)
    for channel in channels {
      for i in 0..<count {
        let left = Float(range.fade.upperBound - begin - i) / length
        faded.append(channel[i] * max(0, min(1, left)))
      }
    }
    faded.withUnsafeBufferPointer { faded in
      body(
        channels.indices.map { UnsafeBufferPointer(rebasing: faded[$0 * count..<($0 + 1) * count]) }
      )
    }
  }
}
