import RenderCore

/// The samples that an instrument renders in a cycle.
///
/// Realtime: yes.
enum SynthOutput: BitwiseCopyable {
  /// The sum of all MIDI channels and the effects.
  case stereo(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)
  /// Each MIDI channel, and the effects, apart. Requires ``InstrumentSettings/separatesChannels``.
  case channels(ChannelOutputs)

  /// Renders a part of a cycle.
  ///
  /// - Parameters:
  ///   - begin: The frame of the whole cycle at which the part begins.
  ///   - gain: The gain of the part, for all channels.
  @_noLocks func render(_ part: MIDICycle, by engine: Engine, from begin: Int, _ gain: GainCurve) {
    switch self {
    case .stereo(var left, var right):
      (left, right) = (left + begin, right + begin)
      engine.render(part, begin: begin, left: left, right: right)
      if gain.isUnity { return }
      for i in 0..<part.frames {
        let factor = gain.factor(at: i)
        left[i] *= factor
        right[i] *= factor
      }
    case .channels(let channels):
      engine.render(part, begin: begin, into: channels)
      if gain.isUnity { return }
      for i in 0..<part.frames {
        let factor = gain.factor(at: i)
        for channel in 0..<ChannelOutputs.count { channels[channel][begin + i] *= factor }
      }
    }
  }
}
