import RenderCore

// Creation: never on the render thread.
extension LaneGroup {
  /// - Parameters:
  ///   - capacity: The greatest number of lanes.
  ///   - alternates: Whether the group keeps the sums of the previous cycle.
  init(
    index: Int32, settings: InstrumentSettings, capacity: Int, alternates: Bool = true,
    in memory: RenderMemory
  ) {
    self.index = index
    voiceList = VoiceList(polyphony: Int(Lane.polyphony), in: memory)
    sounding = memory.make(capacity, of: 0)
    sharedLanes = LaneShare(capacity: capacity, in: memory)
    sharesLanes = settings.laneGroups > 1
    idle = memory.make(capacity, of: 0)
    let stems = settings.separatesChannels ? ChannelOutputs.midiChannels : 0
    sums = Sums(maximumFrames: settings.maximumFrames, stems: stems, in: memory)
    lastSums =
      alternates ? Sums(maximumFrames: settings.maximumFrames, stems: stems, in: memory) : sums

    let frames = Self.blocksAtOnce * Lane.blockFrames
    mixBuffers = MixBuffers(frames: frames, in: memory)
    let scratch = memory.make(4 * frames, of: Float(0))
    self.scratch = scratch
    gainedDry = memory.make(2 * frames, of: 0)
    dry = memory.makeEach(2) { scratch + $0 * frames }
    // Mono sends are in the left channel. Without a right channel the library skips it.
    sends = memory.make(4, of: nil)
    sends[0] = scratch + 2 * frames
    sends[2] = scratch + 3 * frames
    sendCount = settings.sends.any ? 4 : 0
  }

  /// Creates a group without lanes, for a helper. See ``Helpers``.
  init(helper index: Int32, settings: InstrumentSettings, in memory: RenderMemory) {
    self.init(index: index, settings: settings, capacity: 0, alternates: false, in: memory)
  }

  /// Allocates the sums of stems. Must be called before any lane sounds.
  mutating func keepStems(_ count: Int, maximumFrames: Int, in memory: RenderMemory) {
    sums = Sums(maximumFrames: maximumFrames, stems: count, in: memory)
    lastSums = Sums(maximumFrames: maximumFrames, stems: count, in: memory)
  }

  /// Makes each lane mix its own effects into its dry sound. Must be called before any lane is created.
  mutating func runEffectsInLanes() {
    hasLaneEffects = true
    for channel in 0..<4 { sends[channel] = dry[channel % 2] }
  }
}
