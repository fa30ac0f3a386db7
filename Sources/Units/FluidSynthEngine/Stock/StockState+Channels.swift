import CFluidSynth
import RenderCore

// The dry sound of each MIDI channel, and the effects, apart. The library separates them.
extension StockState {
  private static var dryCount: Int { @_noLocks get { 2 * ChannelOutputs.midiChannels } }
  /// The dry channels; then left and right of the reverb, and of the chorus.
  static var outputPointerCount: Int { dryCount + 4 }

  /// Renders a cycle, or a part of one, as ``render(_:begin:left:right:)`` does.
  @_noLocks mutating func render(_ cycle: MIDICycle, begin: Int, into output: ChannelOutputs) {
    guard let pointers = outputPointers else { return }
    // The library adds to its outputs.
    for channel in 0..<ChannelOutputs.count {
      (output[channel] + begin).update(repeating: 0, count: cycle.frames)
    }
    let synth = synth
    render(cycle, begin: begin) { gain, done, count in
      let first = begin + done
      for channel in 0..<Self.dryCount { pointers[channel] = output[channel] + first }
      let effects = pointers + Self.dryCount
      for effect in 0..<2 {
        effects[2 * effect] = output.wetLeft + first
        effects[2 * effect + 1] = output.wetRight + first
      }
      fluid_synth_process(synth, Int32(count), 4, effects, Int32(Self.dryCount), pointers)
      for channel in 0..<ChannelOutputs.count {
        gain.apply(to: output[channel] + first, side: channel % 2, count)
      }
    }
  }
}
