import CFluidSynth
import CRender
import RenderCore

/// The buffers into which the control synth renders if each MIDI channel is a stem. Its notes are those without a lane.
///
/// Realtime: yes, except for creation.
struct OverflowScratch {
  /// Left and right of each MIDI channel, then the effects: ``ChannelOutputs/count`` channels of ``capacity`` samples.
  private let samples: UnsafeMutablePointer<Float>
  private let dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let sends: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The channels of the sums that receive the last two channels: the sends, or the mix.
  private let firstEffect: Int

  private static var capacity: Int {
    @_noLocks get { LaneGroup.blocksAtOnce * Lane.blockFrames }
  }
  private static var dryCount: Int { @_noLocks get { 2 * ChannelOutputs.midiChannels } }

  /// - Parameter mixesEffects: Whether the synth runs its own effects, because the library does not output the sends.
  ///   Their output then goes to left and right of the mix, which receives nothing else.
  init(mixesEffects: Bool, in memory: RenderMemory) {
    let samples = memory.make(ChannelOutputs.count * Self.capacity, of: Float(0))
    self.samples = samples
    dry = memory.makeEach(Self.dryCount) { samples + $0 * Self.capacity }
    let (first, second) = (
      samples + Self.dryCount * Self.capacity, samples + (Self.dryCount + 1) * Self.capacity
    )
    sends = memory.make(4, of: nil)
    sends[0] = first
    sends[1] = mixesEffects ? second : nil
    sends[2] = mixesEffects ? first : second
    sends[3] = mixesEffects ? second : nil
    firstEffect = mixesEffects ? 0 : 2
  }

  /// Renders the control synth and adds its output to the sums.
  ///
  /// - Parameters:
  ///   - frames: Whole blocks, at most ``LaneGroup/blocksAtOnce``.
  ///   - sendCount: As ``LaneGroup/sendCount``.
  ///   - position: The frame of the sums.
  ///   - gained: Returns a dry channel of one side, 0 or 1, as it is to be added.
  /// - Returns: The approximate peak of the last block.
  @_noLocks func render(
    _ synth: OpaquePointer, frames: Int, sendCount: Int32, into sums: Sums, at position: Int,
    gained: (UnsafeMutablePointer<Float>, Int) -> UnsafePointer<Float>
  ) -> Float {
    for channel in 0..<ChannelOutputs.count {
      (samples + channel * Self.capacity).update(repeating: 0, count: frames)
    }
    fluid_synth_process(synth, Int32(frames), sendCount, sends, Int32(Self.dryCount), dry)
    var peak: Float = 0
    for channel in 0..<ChannelOutputs.count {
      let source = samples + channel * Self.capacity
      if isSilent(source, frames) { continue }
      peak = max(peak, LaneGroup.peak(source + frames - Lane.blockFrames))
      let isDry = channel < Self.dryCount
      let target =
        isDry
        ? sums.dryChannel(of: Int32(channel / 2)) + channel % 2
        : firstEffect + channel - Self.dryCount
      let audible = isDry ? gained(source, channel % 2) : UnsafePointer(source)
      fixed_point_add(audible, sums.channel(target) + position, frames)
    }
    return peak
  }

  @_noLocks private func isSilent(_ samples: UnsafePointer<Float>, _ frames: Int) -> Bool {
    for block in stride(from: 0, to: frames, by: Lane.blockFrames)
    where !CompressedBlock.isSilent(samples + block) { return false }
    return true
  }
}
