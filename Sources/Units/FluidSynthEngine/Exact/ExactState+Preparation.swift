import CFluidSynth

// Creation and destruction: never on the render thread.
extension ExactState {
  /// Creates the state of an instrument.
  ///
  /// - Parameters:
  ///   - tables: Must outlive the state.
  ///   - lanePool: Must outlive the state.
  /// - Throws: ``InstrumentError`` if the library cannot be used.
  init(
    tables: PresetTables, settings: InstrumentSettings, lanePool: LanePool?
  ) throws(InstrumentError) {
    self.tables = tables
    polyphony = settings.polyphony
    maximumFrames = settings.maximumFrames
    // All notes at the limit, the fading notes, and notes of a cycle whose lanes have ended but are not
    // idle yet.
    laneCapacity = settings.polyphony + 256

    forecast = LaneForecast(rate: settings.rate)
    presetRequests = .allocate(capacity: 1)
    presetRequests.initialize(to: PresetRequests())

    groupCount = settings.threads
    groups = .allocate(capacity: groupCount)
    for index in 0..<groupCount {
      let group = try LaneGroup(index: Int32(index), settings: settings, capacity: laneCapacity)
      (groups + index).initialize(to: group)
    }
    library = try LibraryProbe.found()
    capabilities = try LibraryCapabilities.found(tables: tables, settings: settings)
    for index in 0..<groupCount { groups[index].resetsVoiceSlots = capabilities.freesSlots }
    let runsEffectsInLanes = settings.effects.any && !capabilities.carriesSends
    let sends = capabilities.carriesSends ? settings.sends : .none
    var synthSettings = SynthSettings(
      rate: settings.rate, polyphony: Int(Lane.polyphony), gain: settings.gain,
      effects: runsEffectsInLanes ? settings.effects : .none,
      reverbEngine: runsEffectsInLanes ? ReverbEngines.index(of: settings.reverbEngine) : nil)
    if runsEffectsInLanes {
      for index in 0..<groupCount { groups[index].runEffectsInLanes() }
    }
    maker = try LaneMaker(
      capacity: laneCapacity, settings: synthSettings, sends: sends, tables: tables,
      // The effects of a lane keep the tails of earlier notes.
      lanePool: runsEffectsInLanes ? nil : lanePool)
    lanes = maker.lanes
    provisioning = maker.provisioning

    synthSettings.polyphony = settings.overflowVoices
    overflowPolyphony = Int32(settings.overflowVoices)
    voiceOwnership = VoiceOwnership(polyphony: settings.overflowVoices)
    controlSynth = try makeSynth(synthSettings)
    overflow = .allocate(capacity: 1)
    overflow.initialize(to: try Lane(synth: controlSynth, group: 0, sends: sends, tables: tables))
    overflowVoices = .allocate(capacity: settings.overflowVoices + 1)
    overflowVoices.initialize(repeating: nil, count: settings.overflowVoices + 1)
    channels = .allocate(capacity: 16)
    for index in 0..<16 {
      (channels + index).initialize(to: Channel(library))
      channels[index].state.pointee.read(from: controlSynth, channel: Int32(index))
    }
    tunings = Tunings(library)
    if sends.any {
      let bus = try EffectsBus(
        rate: settings.rate, effects: settings.effects, engine: settings.reverbEngine)
      let adapter = UnsafeMutablePointer<EffectsBlockAdapter>.allocate(capacity: 1)
      adapter.initialize(
        to: EffectsBlockAdapter(
          bus: bus, effects: settings.effects, maximumFrames: maximumFrames))
      effectsAdapter = adapter
    }
    setOverflowModes()
    requestSamples()
  }

  func destroy() {
    if maker.hasLanePool { endAllNotes() }
    maker.destroy()
    presetRequests.deinitialize(count: 1)
    presetRequests.deallocate()
    let controlSettings = fluid_synth_get_settings(controlSynth)
    overflow.pointee.destroy()
    delete_fluid_settings(controlSettings)
    overflow.deallocate()
    overflowVoices.deallocate()
    voiceOwnership.destroy()
    for index in 0..<groupCount { groups[index].destroy() }
    for index in 0..<16 { channels[index].destroy() }
    effectsAdapter?.pointee.destroy()
    effectsAdapter?.deallocate()
    tunings.destroy()
    substitutions.destroy()
    waiting.destroy()
    groups.deallocate()
    channels.deallocate()
    tap?.deallocate()
    cache?.pointee.destroy()
    cache?.deallocate()
    stems?.destroy()
  }
}

extension ExactState {
  /// Ends all notes, so that the pool can reuse their lanes.
  private func endAllNotes() {
    for index in 0..<groupCount {
      for i in 0..<groups[index].soundingCount {
        let lane = lanes + Int(groups[index].sounding[i])
        if lane.pointee.isSounding { groups[index].endSilently(lane) }
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
    sharedLanes = LaneShare(capacity: capacity)
    sharesLanes = settings.threads > 1
    sounding.initialize(repeating: 0, count: capacity)
    idle = .allocate(capacity: capacity)
    idle.initialize(repeating: 0, count: capacity)
    sums = Sums(maximumFrames: settings.maximumFrames)
    lastSums = Sums(maximumFrames: settings.maximumFrames)

    let frames = Self.blocksAtOnce * Lane.blockFrames
    scratch = .allocate(capacity: 4 * frames)
    scratch.initialize(repeating: 0, count: 4 * frames)
    dry = .allocate(capacity: 2)
    dry.initialize(to: scratch)
    (dry + 1).initialize(to: scratch + frames)
    // Mono sends are in the left channel. Without a right channel the library skips it.
    sends = .allocate(capacity: 4)
    sends.initialize(repeating: nil, count: 4)
    sends[0] = scratch + 2 * frames
    sends[2] = scratch + 3 * frames
    sendCount = settings.sends.any ? 4 : 0
  }

  /// Allocates the sums of stems. Must be called before any lane sounds.
  mutating func keepStems(_ count: Int, maximumFrames: Int) {
    sums.destroy()
    lastSums.destroy()
    sums = Sums(maximumFrames: maximumFrames, stems: count)
    lastSums = Sums(maximumFrames: maximumFrames, stems: count)
  }

  /// Makes each lane mix its own effects into its dry sound. Must be called before any lane is created.
  mutating func runEffectsInLanes() {
    hasLaneEffects = true
    for channel in 0..<4 { sends[channel] = dry[channel % 2] }
  }

  func destroy() {
    voiceList.deallocate()
    sums.destroy()
    lastSums.destroy()
    sounding.deallocate()
    sharedLanes.destroy()
    idle.deallocate()
    scratch.deallocate()
    dry.deallocate()
    sends.deallocate()
  }
}
