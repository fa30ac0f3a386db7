import RenderCore

// The audio of the last cycle.
extension HostState {
  @_noLocks mutating func output(channel: Int) -> UnsafePointer<Float> {
    precondition(channel >= 0 && channel < format.outputChannels)
    return UnsafePointer(isRendered ? channels[channel] : silence)
  }

  /// The last cycle's audio, or silence.
  var audio: AudioInput {
    @_noLocks mutating get {
      for channel in 0..<format.outputChannels { outputs[channel] = output(channel: channel) }
      return AudioInput(UnsafePointer(outputs), count: format.outputChannels)
    }
  }

  /// Copies the last cycle's audio, or silence.
  @_noLocks mutating func copyOutput(
    frames: Int, to output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    if frames < 1 { return }
    for channel in 0..<format.outputChannels {
      if isRendered {
        UnsafeMutableRawPointer(output[channel]).copyMemory(
          from: channels[channel], byteCount: frames * MemoryLayout<Float>.stride)
      } else {
        output[channel].update(repeating: 0, count: frames)
      }
    }
  }
}
