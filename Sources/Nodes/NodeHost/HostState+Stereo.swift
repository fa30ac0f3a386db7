import RenderCore

extension HostState {
  /// The last cycle's audio, with all further pairs of channels added to the first pair; or silence.
  ///
  /// Changes the output, so it must be called once per cycle. The format must have an even number of output channels.
  @_noLocks mutating func mixToStereo() -> AudioInput {
    for channel in 2..<max(2, format.outputChannels) where isRendered {
      let (source, target) = (channels[channel], channels[channel % 2])
      for frame in 0..<frames { target[frame] += source[frame] }
    }
    let audio = audio
    guard let channels = audio.channels else { return audio }
    return AudioInput(channels, count: min(2, audio.count))
  }
}
