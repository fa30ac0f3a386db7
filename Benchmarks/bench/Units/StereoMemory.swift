import RenderCore

/// Audio buffers for the two channels of a cycle.
final class StereoMemory {
  private let frames: Int
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>

  /// - Parameter seed: The seed of noise at -20 dB; `nil`: silence.
  init(frames: Int, noise seed: UInt64? = nil) {
    self.frames = frames
    channels = .allocate(capacity: 2)
    inputs = .allocate(capacity: 2)
    var random = Seeded(seed ?? 0)
    for channel in 0..<2 {
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      for frame in 0..<frames {
        let sample = seed == nil ? 0 : Float.random(in: -0.17...0.17, using: &random)
        (samples + frame).initialize(to: sample)
      }
      (channels + channel).initialize(to: samples)
      (inputs + channel).initialize(to: UnsafePointer(samples))
    }
  }

  deinit {
    for channel in 0..<2 { channels[channel].deallocate() }
    channels.deallocate()
    inputs.deallocate()
  }

  var input: AudioInput { AudioInput(inputs, count: 2) }

  var isSounding: Bool { (0..<frames).contains { channels[0][$0] != 0 } }
}
