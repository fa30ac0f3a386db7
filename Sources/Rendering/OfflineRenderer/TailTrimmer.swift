/// Brings rendered cycles to the pipe: drops those before the part to be kept, trims the tail.
struct TailTrimmer {
  private let range: FrameRange
  private let pipe: AsyncFileWriter
  private var trimmer: SilenceTrimmer
  /// Frames that have come so far.
  private var frames = 0

  init(_ range: FrameRange, to pipe: AsyncFileWriter, sampleRate: Int) {
    self.range = range
    self.pipe = pipe
    trimmer = SilenceTrimmer(sampleRate: sampleRate)
  }

  /// Whether the tail has fallen silent; whatever comes after it is dropped.
  var isSilent: Bool { range.endsInSilence && trimmer.isSilent }
  /// Whether the tail is heard at its end so far.
  var isHeard: Bool { range.endsInSilence && trimmer.isHeard }

  /// Takes the next cycle, which lies wholly before, in or after each part of the range.
  mutating func take(_ channels: [UnsafeBufferPointer<Float>]) {
    let begin = frames
    frames += channels[0].count
    if begin < range.start || isSilent { return }
    if range.endsInSilence, begin >= range.end {
      trimmer.add(channels) { pipe.write($0) }
    } else {
      pipe.write(channels)
    }
  }
}
