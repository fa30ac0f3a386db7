import CRender
import RenderCore

/// What sets strings ringing, and what is heard of them: a cycle's frames for each channel.
///
/// Realtime: yes, apart from making and destroying it.
struct ResonatorSound: BitwiseCopyable {
  let channels: Int
  private let inputs: Int
  private let frames: Int
  /// The inputs, then the outputs.
  private let samples: UnsafeMutablePointer<Float>
  /// Of the high-pass that keeps direct current out: what went in and came out last, per input.
  private var last = InlineArray<2, Float>(repeating: 0)
  private var passed = InlineArray<2, Float>(repeating: 0)
  private let highPass: Float

  /// Allocates. ``destroy()`` must follow.
  init(_ format: Format) {
    channels = format.channels
    inputs = format.inputChannels
    frames = format.maximumFrames
    let count = (channels + inputs) * frames
    samples = .allocate(capacity: count)
    samples.initialize(repeating: 0, count: count)
    let turn = 2 * Double.pi * 10 / Double(format.sampleRate)
    // e to the power of −turn.
    highPass = Float(maths_exp2(-turn * 1.442_695_040_888_963_4))
  }

  func destroy() { samples.deallocate() }

  /// What an output channel's strings hear.
  @_noLocks func input(_ channel: Int) -> UnsafeMutablePointer<Float> {
    samples + min(channel, inputs - 1) * frames
  }

  @_noLocks func output(_ channel: Int) -> UnsafeMutablePointer<Float> {
    samples + (inputs + channel) * frames
  }

  /// Takes a cycle's input, and makes the output silence.
  @_noLocks mutating func begin(_ cycle: RenderCycle) {
    for channel in 0..<inputs { take(cycle, channel) }
    for channel in 0..<channels {
      output(channel).update(repeating: 0, count: cycle.frames)
    }
  }

  @_noLocks private mutating func take(_ cycle: RenderCycle, _ channel: Int) {
    let (source, destination) = (cycle.input[channel], input(channel))
    var (last, passed) = (last[channel], passed[channel])
    for frame in 0..<cycle.frames {
      let sample = Sample.tame(source[frame])
      passed = Denormals.sample(sample - last + passed * highPass)
      last = sample
      destination[frame] = passed
    }
    self.last[channel] = last
    self.passed[channel] = passed
  }
}
