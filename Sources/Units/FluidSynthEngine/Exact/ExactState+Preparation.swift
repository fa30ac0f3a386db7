import CFluidSynth
import RenderCore

// Creation: never on the render thread.
extension ExactState {
  /// Creates the state of an instrument.
  ///
  /// - Parameters:
  ///   - soundFont: Must outlive the state.
  ///   - lanePool: Must outlive the state.
  /// - Throws: ``InstrumentError`` if the library cannot be used.
  init(
    _ soundFont: PlayedSoundFont, settings: InstrumentSettings, lanePool: LanePool?,
    in memory: RenderMemory
  ) throws(InstrumentError) {
    tables = soundFont.tables
    samples = NoteSamples(soundFont, in: memory)
    legatoZones = try LegatoZones(in: tables, memory)
    substitutions = Substitutions(in: memory)
    module = SoundModule(settings.bankStyle, in: memory)
    masterGain = memory.make(MasterGain(in: memory))
    polyphony = settings.polyphony
    maximumFrames = settings.maximumFrames
    separatesChannels = settings.separatesChannels
    // All notes at the limit, the fading notes, and notes of a cycle whose lanes have ended but are not idle yet.
    laneCapacity = settings.polyphony + 256

    forecast = LaneForecast(rate: settings.rate)
    groupCount = settings.laneGroups
    let capacity = laneCapacity
    groups = memory.makeEach(groupCount) { index in
      LaneGroup(index: Int32(index), settings: settings, capacity: capacity, in: memory)
    }
    library = try LibraryProbe.found()
    capabilities = try LibraryCapabilities.found(tables: tables, settings: settings)
    let runsEffectsInLanes = settings.effects.any && !capabilities.carriesSends
    let sends = capabilities.carriesSends ? settings.sends : .none
    var synthSettings = SynthSettings(
      rate: settings.rate, polyphony: Int(Lane.polyphony), gain: settings.gain,
      effects: runsEffectsInLanes ? settings.effects : .none,
      reverbEngine: runsEffectsInLanes ? ReverbEngines.index(of: settings.reverbEngine) : nil)
    maker = try LaneMaker(
      capacity: laneCapacity, settings: synthSettings, sends: sends, tables: tables,
      // The effects of a lane keep the tails of earlier notes.
      lanePool: runsEffectsInLanes ? nil : lanePool, in: memory)
    lanes = maker.lanes
    provisioning = maker.provisioning
    requests = SupplyRequests(
      presets: soundFont.requests.presets, samples: tables.samples, lanes: provisioning)

    synthSettings.polyphony = settings.overflowVoices
    if separatesChannels { synthSettings.dryOutputs = ChannelOutputs.midiChannels }
    overflowVoices = VoiceList(polyphony: settings.overflowVoices, in: memory)
    voiceOwnership = VoiceOwnership(overflowVoices, in: memory)
    overflow = memory.make(
      try Lane(group: 0, sends: sends, tables: tables, playsOneNote: false) {
        memory throws(InstrumentError) in
        try makeSynth(synthSettings, in: memory)
      })
    if separatesChannels {
      overflow.pointee.stem = Lane.everyStem
      let overflowGroup = groups + Int(overflow.pointee.group)
      overflowGroup.pointee.overflowScratch = OverflowScratch(
        mixesEffects: runsEffectsInLanes, in: memory)
    }
    let control = overflow.pointee
    memory.onRelease { control.destroy() }
    controlSynth = control.synth
    let (synth, library) = (controlSynth, library)
    channels = memory.makeEach(16) { index in
      var channel = Channel(library)
      channel.state.read(from: synth, channel: Int32(index))
      channel.state.revision = UInt64(index) + 1
      return channel
    }
    tunings = Tunings(library, in: memory)
    if settings.startsHelpers, settings.threads > 1 {
      helpers = memory.make(
        Helpers(
          count: settings.threads - 1, settings: settings, lanes: lanes, capacity: laneCapacity,
          tunings: tunings, in: memory))
    }
    let masterGain = masterGain
    forEachGroup { group in
      group.masterGain = UnsafePointer(masterGain)
      group.resetsVoiceSlots = capabilities.freesSlots
      if runsEffectsInLanes { group.runEffectsInLanes() }
    }
    if sends.any {
      let bus = try EffectsBus(
        rate: settings.rate, effects: settings.effects, engine: settings.reverbEngine, in: memory)
      effectsAdapter = memory.make(
        EffectsBlockAdapter(
          bus: bus, effects: settings.effects, maximumFrames: maximumFrames,
          masterGain: masterGain, in: memory))
    }
    setOverflowModes()
    requestSamples()
  }

  /// Changes each group, also those of helpers.
  func forEachGroup(_ body: (inout LaneGroup) -> Void) {
    for index in 0..<groupCount { body(&groups[index]) }
    guard let helpers else { return }
    for index in 0..<helpers.pointee.count { body(&helpers.pointee.groups[index]) }
  }

  /// Ends all notes, so that the pool can reuse their lanes.
  func endAllNotes() {
    for index in 0..<groupCount {
      for i in 0..<groups[index].soundingCount {
        let lane = lanes + Int(groups[index].sounding[i])
        if lane.pointee.isSounding { groups[index].endSilently(lane) }
      }
    }
  }
}
