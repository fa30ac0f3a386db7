import RenderCore
import Threads

/// Holds a chain's audio back, so that chains of different latency are heard together.
///
/// Realtime: yes, apart from making and destroying it. Threads: one renders; ``delay`` is set by any.
struct AlignmentDelay: @unchecked Sendable, BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  private let channels: Int
  private var place = 0
  /// Frames by which it holds back: 0…``longest``.
  let delay: SharedWord
  private let word: UnsafeMutablePointer<UInt32>

  /// A second and more at every usual rate. What is later than that is heard late.
  static var longest: Int { @_noLocks get { 131_071 } }
  private static var length: Int { @_noLocks get { 131_072 } }

  init(channels: Int) {
    self.channels = channels
    samples = .allocate(capacity: channels * Self.length)
    samples.initialize(repeating: 0, count: channels * Self.length)
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
    delay = SharedWord(at: word)
  }

  func destroy() {
    samples.deallocate()
    word.deallocate()
  }

  /// Adds what is still held back, with nothing behind it.
  @_noLocks mutating func addSilence(
    frames: Int, to output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    let delay = min(Int(self.delay.value), Self.longest)
    let mask = Self.length - 1
    for channel in 0..<channels {
      let (line, target) = (samples + channel * Self.length, output[channel])
      for frame in 0..<frames {
        line[(place + frame) & mask] = 0
        target[frame] += line[(place + frame - delay) & mask]
      }
    }
    place = (place + frames) & mask
  }

  /// Adds a cycle's audio to `output`, as late as it is to be.
  @_noLocks mutating func add(
    _ audio: AudioInput, frames: Int, to output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    let delay = min(Int(self.delay.value), Self.longest)
    let mask = Self.length - 1
    for channel in 0..<min(channels, audio.count) {
      let (source, line, target) = (
        audio[channel], samples + channel * Self.length, output[channel]
      )
      for frame in 0..<frames {
        line[(place + frame) & mask] = source[frame]
        target[frame] += line[(place + frame - delay) & mask]
      }
    }
    place = (place + frames) & mask
  }
}
