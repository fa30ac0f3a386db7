import CRender
import RenderCore

/// The buffers of a cycle: the input that excites the strings, and the output of the strings, for each channel.
///
/// Realtime: yes, except for creation.
struct ResonatorSound: BitwiseCopyable {
  let channels: Int
  private let inputs: Int
  private let frames: Int
  /// The input buffers, then the output buffers.
  private let samples: UnsafeMutablePointer<Float>
  /// The previous input and output samples of the high-pass filter that removes direct current, per input.
  private var lastInput = InlineArray<2, Float>(repeating: 0)
  private var lastOutput = InlineArray<2, Float>(repeating: 0)
  /// The pole of the high-pass filter.
  private let highPass: Float

  init(_ format: Format, in memory: RenderMemory) {
    channels = format.outputChannels
    inputs = format.inputChannels
    frames = format.maximumFrames
    samples = memory.make((channels + inputs) * frames, of: 0)
    let angle = 2 * Double.pi * 10 / Double(format.sampleRate)
    // e^(−angle)
    highPass = Float(maths_exp2(-angle * 1.442_695_040_888_963_4))
  }

  /// The buffer that excites an output channel's strings.
  @_noLocks func input(_ channel: Int) -> UnsafeMutablePointer<Float> {
    samples + min(channel, inputs - 1) * frames
  }

  /// The buffer that the output channel's strings are added to.
  @_noLocks func output(_ channel: Int) -> UnsafeMutablePointer<Float> {
    samples + (inputs + channel) * frames
  }

  /// Filters a cycle's input and clears the output.
  @_noLocks mutating func begin(_ cycle: RenderCycle) {
    for channel in 0..<inputs { filterInput(cycle, channel) }
    for channel in 0..<channels {
      output(channel).update(repeating: 0, count: cycle.frames)
    }
  }

  @_noLocks private mutating func filterInput(_ cycle: RenderCycle, _ channel: Int) {
    let (source, destination) = (cycle.input[channel], input(channel))
    var (last, filtered) = (lastInput[channel], lastOutput[channel])
    for frame in 0..<cycle.frames {
      let sample = Sample.sanitize(source[frame])
      filtered = Denormals.sample(sample - last + filtered * highPass)
      last = sample
      destination[frame] = filtered
    }
    lastInput[channel] = last
    lastOutput[channel] = filtered
  }
}
