import RenderCore

// The dry sound of each MIDI channel, and the effects, apart. Every MIDI channel is a stem.
extension ExactState {
  /// Renders a cycle, or a part of one, as ``render(_:begin:left:right:)`` does.
  @_noLocks mutating func render(_ cycle: MIDICycle, begin: Int, into output: ChannelOutputs) {
    mix(renderLanes(cycle, begin: begin), from: begin, into: output)
  }

  /// Sums the lane groups of the last ended cycle and runs the effects.
  ///
  /// - Parameter begin: The frame of the output that receives the first frame of the cycle.
  @_noLocks func mix(_ cycle: RenderedCycle, from begin: Int, into output: ChannelOutputs) {
    let frames = cycle.frames
    let sums = groups[0].lastSums
    for group in 1..<max(groupCount, 1) { sums.addAndClear(groups[group].lastSums, frames: frames) }
    for channel in 0..<2 * ChannelOutputs.midiChannels {
      sums.store(
        stem: channel / 2, side: channel % 2, in: output[channel] + begin, frames: frames)
    }
    let (left, right) = (output.wetLeft + begin, output.wetRight + begin)
    // Silence, unless the control synth runs its own effects; see OverflowScratch.
    FixedPoint.store(sums.channel(0), in: left, count: frames)
    FixedPoint.store(sums.channel(1), in: right, count: frames)
    effectsAdapter?.pointee.process(sums, cycle, left: left, right: right)
    sums.clear(frames: frames)
  }
}
