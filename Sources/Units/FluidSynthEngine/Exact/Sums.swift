import RenderCore

/// Channels of fixed-point sums: left, right, reverb send, chorus send; then left and right of each stem.
///
/// A channel extends one block beyond the longest cycle, because the last block of a lane may end up to 63 frames after
/// the cycle. With stems, dry sound is added only to the stems, and ``addStems(frames:)`` computes the mix from them.
struct Sums {
  private let samples: UnsafeMutablePointer<Int64>
  private let stride: Int
  private let stemCount: Int
  /// Per stem: whether anything was added in this cycle. Most stems of a song are silent at any time.
  private let isUsed: UnsafeMutablePointer<Bool>

  /// Left, right and the two sends.
  private static var mixChannels: Int { @_noLocks get { 4 } }

  init(maximumFrames: Int, stems: Int = 0, in memory: RenderMemory) {
    stride = maximumFrames + Lane.blockFrames
    stemCount = stems
    samples = memory.make(stride * (Self.mixChannels + 2 * stems), of: 0)
    isUsed = memory.make(stems, of: false)
  }

  var channelCount: Int { @_noLocks get { Self.mixChannels + 2 * stemCount } }

  @_noLocks func channel(_ index: Int) -> UnsafeMutablePointer<Int64> { samples + index * stride }

  /// The channel for the left dry sound of a lane; the right one is the next.
  ///
  /// - Parameter stem: The stem of the lane; −1 without stems.
  @_noLocks func dryChannel(of stem: Int32) -> Int {
    if stem < 0 { return 0 }
    isUsed[Int(stem)] = true
    return channel(ofStem: Int(stem))
  }

  /// Whether anything was added to a stem in this cycle.
  @_noLocks func isUsed(stem: Int) -> Bool { isUsed[stem] }

  @_noLocks func channel(ofStem stem: Int) -> Int { Self.mixChannels + 2 * stem }

  /// Adds the sums of `other` for a cycle of `frames` frames and the block beyond it, exactly, and clears `other`.
  @_noLocks func addAndClear(_ other: Sums, frames: Int) {
    let count = frames + Lane.blockFrames
    for index in 0..<channelCount where other.isInUse(index) {
      FixedPoint.add(other.channel(index), to: channel(index), count: count)
      other.channel(index).update(repeating: 0, count: count)
      markUsed(index)
    }
    other.clearUse()
  }

  /// Begins a cycle with the part of `previous` beyond its end. The sums must be empty.
  @_noLocks func begin(after previous: Sums, frames: Int) {
    for index in 0..<channelCount where previous.isInUse(index) {
      let (mine, theirs) = (channel(index), previous.channel(index) + frames)
      for i in 0..<Lane.blockFrames { mine[i] = theirs[i] }
      markUsed(index)
    }
  }

  /// Adds the stems of a cycle of `frames` frames to the mix, exactly.
  @_noLocks func addStems(frames: Int) {
    for stem in 0..<stemCount where isUsed[stem] {
      let dry = channel(ofStem: stem)
      FixedPoint.add(channel(dry), to: channel(0), count: frames)
      FixedPoint.add(channel(dry + 1), to: channel(1), count: frames)
    }
  }

  /// Converts one side of a stem to samples.
  ///
  /// - Parameter side: 0 for left, 1 for right.
  @_noLocks func store(
    stem: Int, side: Int, in output: UnsafeMutablePointer<Float>, frames: Int
  ) {
    if isUsed(stem: stem) {
      FixedPoint.store(channel(channel(ofStem: stem) + side), in: output, count: frames)
    } else {
      output.update(repeating: 0, count: frames)
    }
  }

  /// Clears the sums of a cycle of `frames` frames.
  @_noLocks func clear(frames: Int) {
    for index in 0..<channelCount where isInUse(index) {
      channel(index).update(repeating: 0, count: frames + Lane.blockFrames)
    }
    clearUse()
  }

  @_noLocks private func isInUse(_ index: Int) -> Bool {
    index < Self.mixChannels || isUsed[(index - Self.mixChannels) / 2]
  }

  @_noLocks private func markUsed(_ index: Int) {
    if index >= Self.mixChannels { isUsed[(index - Self.mixChannels) / 2] = true }
  }

  @_noLocks private func clearUse() {
    for stem in 0..<stemCount { isUsed[stem] = false }
  }
}
