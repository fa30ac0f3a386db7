import FluidSynthEngine

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
    let cycle = begin..<frames
    if cycle.overlaps(range.fadeIn) || cycle.overlaps(range.fadeOut) {
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

  /// Passes faded channels to `body`. A fade is linear, between silence and full level.
  private func fade(
    _ channels: [UnsafeBufferPointer<Float>], at begin: Int,
    _ body: ([UnsafeBufferPointer<Float>]) -> Void
  ) {
    let count = channels[0].count
    let factors = (begin..<begin + count).map { frame in
      Self.share(frame - range.fadeIn.lowerBound, of: range.fadeIn)
        * Self.share(range.fadeOut.upperBound - frame, of: range.fadeOut)
    }
    var faded: [Float] = []
    faded.reserveCapacity(count * channels.count)
    for channel in channels {
      for i in 0..<count { faded.append(channel[i] * factors[i]) }
    }
    faded.withUnsafeBufferPointer { faded in
      body(
        channels.indices.map { UnsafeBufferPointer(rebasing: faded[$0 * count..<($0 + 1) * count]) }
      )
    }
  }

  private static func share(_ frames: Int, of fade: Range<Int>) -> Float {
    fade.isEmpty ? 1 : max(0, min(1, Float(frames) / Float(fade.count)))
  }
}

/// Detects the end of a tail, and holds back frames that may be trailing silence.
///
/// Audible frames, and the frames between them, are passed on. One second of silence after all notes were released is
/// the end, unless a voice is active: a sample may have a longer pause. Only the first two channels, the mix, are
/// examined; the stems end with it.
struct SilenceTrimmer {
  static let threshold = LoggedNote.threshold
  private let silentFrames: Int
  /// The held frames of each channel; channels are `capacity` samples apart.
  private var held: [Float] = []
  private var heldFrames = 0
  private var capacity = 0

  /// - Parameter sampleRate: Frames per second.
  init(sampleRate: Int) { silentFrames = sampleRate }

  /// Whether the last second was silent.
  var isSilent: Bool { heldFrames >= silentFrames }

  /// Whether the last tenth of a second had audible frames.
  var isAudible: Bool { hasBeenAudible && heldFrames < silentFrames / 10 }
  private var hasBeenAudible = false

  /// Adds frames, and passes on all frames up to the last audible one.
  ///
  /// - Parameters:
  ///   - channels: Two or more channels of the same length; the same number in every call.
  ///   - body: Receives the same number of channels, valid until it returns.
  mutating func add(
    _ channels: [UnsafeBufferPointer<Float>], _ body: ([UnsafeBufferPointer<Float>]) -> Void
  ) {
    let added = channels[0].count
    reserve(heldFrames + added, channels: channels.count)
    for (index, channel) in channels.enumerated() {
      for i in 0..<added { held[index * capacity + heldFrames + i] = channel[i] }
    }
    let lastAudible = channels[0].indices.last {
      abs(channels[0][$0]) > Self.threshold || abs(channels[1][$0]) > Self.threshold
    }
    let count = lastAudible.map { heldFrames + $0 + 1 } ?? 0
    heldFrames += added
    guard count > 0 else { return }
    hasBeenAudible = true
    held.withUnsafeBufferPointer { held in
      body(
        channels.indices.map {
          UnsafeBufferPointer(rebasing: held[($0 * capacity)..<($0 * capacity + count)])
        })
    }
    heldFrames -= count
    for index in channels.indices {
      for i in 0..<heldFrames { held[index * capacity + i] = held[index * capacity + count + i] }
    }
  }

  private mutating func reserve(_ frames: Int, channels: Int) {
    guard frames > capacity else { return }
    let larger = max(frames, 2 * capacity)
    var moved = [Float](repeating: 0, count: larger * channels)
    for index in 0..<channels {
      for i in 0..<heldFrames { moved[index * larger + i] = held[index * capacity + i] }
    }
    (held, capacity) = (moved, larger)
  }
}
