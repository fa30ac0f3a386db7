import CFluidSynth

// Making, growing and freeing: never on the render thread.
extension ExactState {
  /// - Parameters:
  ///   - tables: They must outlive the state.
  ///   - shelf: The same.
  /// - Throws: ``InstrumentError`` when the library cannot be used.
  init(
    tables: PresetTables, settings: InstrumentSettings, shelf: LanePool?
  ) throws(InstrumentError) {
    self.tables = tables
    polyphony = settings.polyphony
    maximumFrames = settings.maximumFrames
    // Every note at the limit, those that fade, and notes of a cycle that cannot know yet which
    // lanes have ended.
    laneCapacity = settings.polyphony + 256

    demand = LaneForecast(rate: settings.rate)
    presetSupply = .allocate(capacity: 1)
    presetSupply.initialize(to: PresetRequests())

    poolCount = settings.threads
    pools = .allocate(capacity: poolCount)
    for index in 0..<poolCount {
      let pool = try LaneGroup(index: Int32(index), settings: settings, capacity: laneCapacity)
      (pools + index).initialize(to: pool)
    }
    library = try LibraryProbe.found()
    capabilities = try LibraryCapabilities.found(tables: tables, settings: settings)
    for index in 0..<poolCount { pools[index].scrubs = capabilities.freesSlots }
    let runsEffectsInLanes = settings.effects.any && !capabilities.carriesSends
    let sends = capabilities.carriesSends ? settings.sends : .none
    var synthSettings = SynthSettings(
      rate: settings.rate, polyphony: Int(Lane.polyphony), gain: settings.gain,
      effects: runsEffectsInLanes ? settings.effects : .none,
      reverbEngine: runsEffectsInLanes ? ReverbEngines.index(of: settings.reverbEngine) : nil)
    if runsEffectsInLanes {
      for index in 0..<poolCount { pools[index].runEffectsInLanes() }
    }
    maker = try LaneMaker(
      capacity: laneCapacity, settings: synthSettings, sends: sends, tables: tables,
      // An effect that a lane runs itself remembers what it heard.
      shelf: runsEffectsInLanes ? nil : shelf)
    lanes = maker.lanes
    supply = maker.supply

    synthSettings.polyphony = settings.overflowVoices
    overflowPolyphony = Int32(settings.overflowVoices)
    takenVoices = VoiceOwnership(polyphony: settings.overflowVoices)
    controlSynth = try makeSynth(synthSettings)
    overflow = .allocate(capacity: 1)
    overflow.initialize(to: try Lane(synth: controlSynth, pool: 0, sends: sends, tables: tables))
    overflowVoices = .allocate(capacity: settings.overflowVoices + 1)
    overflowVoices.initialize(repeating: nil, count: settings.overflowVoices + 1)
    channels = .allocate(capacity: 16)
    for index in 0..<16 {
      (channels + index).initialize(to: Channel(library))
      channels[index].state.pointee.read(from: controlSynth, channel: Int32(index))
    }
    tunings = Tunings(library)
    if sends.any {
      let stage = try EffectsBus(
        rate: settings.rate, effects: settings.effects, engine: settings.reverbEngine)
      let line = UnsafeMutablePointer<EffectsBlockAdapter>.allocate(capacity: 1)
      line.initialize(
        to: EffectsBlockAdapter(
          stage: stage, effects: settings.effects, maximumFrames: maximumFrames))
      wet = line
    }
    setOverflowModes()
    requestSamples()
  }

  func destroy() {
    if maker.hasShelf { cutAllShort() }
    maker.destroy()
    presetSupply.deinitialize(count: 1)
    presetSupply.deallocate()
    let directorSettings = fluid_synth_get_settings(controlSynth)
    overflow.pointee.destroy()
    delete_fluid_settings(directorSettings)
    overflow.deallocate()
    overflowVoices.deallocate()
    takenVoices.destroy()
    for index in 0..<poolCount { pools[index].destroy() }
    for index in 0..<16 { channels[index].destroy() }
    wet?.pointee.destroy()
    wet?.deallocate()
    tunings.destroy()
    substitutions.destroy()
    waiting.destroy()
    pools.deallocate()
    channels.deallocate()
    tap?.deallocate()
    cache?.pointee.destroy()
    cache?.deallocate()
    stems?.destroy()
  }
}

extension ExactState {
  /// Ends all notes at once, so that their lanes are of use to others.
  private func cutAllShort() {
    for index in 0..<poolCount {
      for i in 0..<pools[index].soundingCount {
        let lane = lanes + Int(pools[index].sounding[i])
        if lane.pointee.isSounding { pools[index].cutShort(lane) }
      }
    }
  }
}

extension LaneGroup {
  init(
    index: Int32, settings: InstrumentSettings, capacity: Int
  ) throws(InstrumentError) {
    self.index = index
    voiceList = .allocate(capacity: Int(Lane.polyphony) + 1)
    voiceList.initialize(repeating: nil, count: Int(Lane.polyphony) + 1)
    sounding = .allocate(capacity: capacity)
    share = LaneShare(capacity: capacity)
    isHelped = settings.threads > 1
    sounding.initialize(repeating: 0, count: capacity)
    waiting = .allocate(capacity: capacity)
    waiting.initialize(repeating: 0, count: capacity)
    sums = Sums(maximumFrames: settings.maximumFrames)
    lastSums = Sums(maximumFrames: settings.maximumFrames)

    let frames = Self.blocksAtOnce * Lane.blockFrames
    scratch = .allocate(capacity: 4 * frames)
    scratch.initialize(repeating: 0, count: 4 * frames)
    dry = .allocate(capacity: 2)
    dry.initialize(to: scratch)
    (dry + 1).initialize(to: scratch + frames)
    // Left carries a mono send; right stays empty, so the library need not add it.
    sends = .allocate(capacity: 4)
    sends.initialize(repeating: nil, count: 4)
    sends[0] = scratch + 2 * frames
    sends[2] = scratch + 3 * frames
    sendCount = settings.sends.any ? 4 : 0
  }

  /// Makes room for the sums of stems. Before any lane sounds.
  mutating func keepStems(_ count: Int, maximumFrames: Int) {
    sums.destroy()
    lastSums.destroy()
    sums = Sums(maximumFrames: maximumFrames, stems: count)
    lastSums = Sums(maximumFrames: maximumFrames, stems: count)
  }

  /// Lets each lane mix its own effects into its dry sound. Before any lane is made.
  mutating func runEffectsInLanes() {
    hasLaneEffects = true
    for channel in 0..<4 { sends[channel] = dry[channel % 2] }
  }

  func destroy() {
    voiceList.deallocate()
    sums.destroy()
    lastSums.destroy()
    sounding.deallocate()
    share.destroy()
    waiting.deallocate()
    scratch.deallocate()
    dry.deallocate()
    sends.deallocate()
  }
}
