package import LocalSystem
package import RenderCore

/// Delays a chain's audio, so that chains with different latencies are aligned, and applies its level in the mix.
///
/// Realtime: yes, except creation. Threads: one renders; ``delay`` may be set by any.
package struct AlignmentDelay: @unchecked Sendable, BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  private let channels: Int
  private var writeIndex = 0
  /// The delay in frames, 0…``longest``.
  package let delay: SharedWord
  /// The factors of the first channel and of the others.
  package var left: Float = 1
  package var right: Float = 1
  package var isUnity: Bool { @_noLocks get { left == 1 && right == 1 } }

  /// The longest delay in frames, more than a second at all usual rates. Chains with higher latency are not aligned.
  package static var longest: Int { @_noLocks get { 131_071 } }
  private static var length: Int { @_noLocks get { 131_072 } }

  package init(channels: Int, in memory: RenderMemory) {
    self.channels = channels
    samples = memory.make(channels * Self.length, of: 0)
    let words = SharedWords(count: 1)
    memory.onRelease(words.destroy)
    delay = words[0]
  }

  /// Adds the delayed audio to `output`, followed by silence.
  @_noLocks package mutating func addSilence(
    frames: Int, to output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    let delay = min(Int(self.delay.value), Self.longest)
    let mask = Self.length - 1
    for channel in 0..<channels {
      let (line, target) = (samples + channel * Self.length, output[channel])
      for frame in 0..<frames {
        line[(writeIndex + frame) & mask] = 0
        target[frame] += line[(writeIndex + frame - delay) & mask]
      }
    }
    writeIndex = (writeIndex + frames) & mask
  }

  /// Adds a cycle's audio to `output`, delayed.
  @_noLocks package mutating func add(
    _ audio: AudioInput, frames: Int, to output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    let delay = min(Int(self.delay.value), Self.longest)
    let mask = Self.length - 1
    for channel in 0..<min(channels, audio.count) {
      let (source, line, target) = (
        audio[channel], samples + channel * Self.length, output[channel]
      )
      let gain = channel == 0 ? left : right
      for frame in 0..<frames {
        line[(writeIndex + frame) & mask] = source[frame] * gain
        target[frame] += line[(writeIndex + frame - delay) & mask]
      }
    }
    writeIndex = (writeIndex + frames) & mask
  }
}
