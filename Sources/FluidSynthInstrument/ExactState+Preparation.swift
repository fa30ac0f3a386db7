import CFluidSynth

// Making, growing and freeing: never on the render thread.
extension ExactState {
  /// - Parameter tables: They must outlive the state.
  /// - Throws: ``InstrumentError`` when the library cannot be used.
  init(tables: PresetTables, settings: InstrumentSettings) throws(InstrumentError) {
    self.tables = tables
    polyphony = settings.polyphony
    maximumFrames = settings.maximumFrames
    // Every note at the limit, those that fade, and notes of a cycle that cannot know yet which
    // lanes have ended.
    laneCapacity = settings.polyphony + 256

    poolCount = settings.threads
    pools = .allocate(capacity: poolCount)
    for index in 0..<poolCount {
      let pool = try LanePool(
        index: Int32(index), settings: settings, capacity: laneCapacity)
      (pools + index).initialize(to: pool)
    }
    director = try makeSynth(
      SynthSettings(
        rate: settings.rate, polyphony: 1, gain: settings.gain,
        effects: Effects(reverb: false, chorus: false)))
    _ = try SoundFontDoor(of: director, to: tables)
    footing = try Footing(testing: pools[0], tables: tables, settings: settings)
    if settings.effects.any, !footing.carriesSends {
      for index in 0..<poolCount { try pools[index].runEffectsInLanes(settings) }
    }
    channels = .allocate(capacity: 16)
    for index in 0..<16 {
      (channels + index).initialize(to: Channel())
      channels[index].state.pointee.read(from: director, channel: Int32(index))
    }
    tunings = Tunings()
    lanes = .allocate(capacity: laneCapacity)
    if settings.effects.any, footing.carriesSends {
      let stage = try WetStage(rate: settings.rate, effects: settings.effects)
      let line = UnsafeMutablePointer<WetLine>.allocate(capacity: 1)
      line.initialize(to: WetLine(stage: stage, maximumFrames: maximumFrames))
      wet = line
    }
  }

  /// Makes lanes until each pool has `count` waiting, or the table is full.
  mutating func reserveLanes(_ count: Int, settings: InstrumentSettings) throws(InstrumentError) {
    for index in 0..<poolCount {
      while pools[index].waitingCount < count, laneCount < laneCapacity {
        let lane = try Lane(pool: pools[index], tables: tables, settings: settings)
        (lanes + laneCount).initialize(to: lane)
        pools[index].waiting[pools[index].waitingCount] = Int32(laneCount)
        pools[index].waitingCount += 1
        laneCount += 1
      }
    }
    statistics.lanes = laneCount
  }

  func destroy() {
    for index in 0..<laneCount { lanes[index].destroy() }
    for index in 0..<poolCount { pools[index].destroy() }
    delete(director)
    for index in 0..<16 { channels[index].destroy() }
    wet?.pointee.destroy()
    wet?.deallocate()
    tunings.destroy()
    substitutions.destroy()
    lanes.deallocate()
    pools.deallocate()
    channels.deallocate()
    tap?.deallocate()
  }
}

extension LanePool {
  init(
    index: Int32, settings: InstrumentSettings, capacity: Int
  ) throws(InstrumentError) {
    self.index = index
    laneSettings = try Self.laneSettings(settings, Effects(reverb: false, chorus: false))
    scrubber = try Scrubber()
    voiceList = .allocate(capacity: Int(Lane.polyphony) + 1)
    voiceList.initialize(repeating: nil, count: Int(Lane.polyphony) + 1)
    sounding = .allocate(capacity: capacity)
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
    sendCount = settings.effects.any ? 4 : 0
  }

  private static func laneSettings(
    _ settings: InstrumentSettings, _ effects: Effects
  ) throws(InstrumentError) -> OpaquePointer {
    try makeLibrarySettings(
      SynthSettings(
        rate: settings.rate, polyphony: Int(Lane.polyphony), gain: settings.gain,
        effects: effects))
  }

  /// Lets each lane mix its own effects into its dry sound. Before any lane is made.
  mutating func runEffectsInLanes(_ settings: InstrumentSettings) throws(InstrumentError) {
    hasLaneEffects = true
    delete_fluid_settings(laneSettings)
    laneSettings = try Self.laneSettings(settings, settings.effects)
    for channel in 0..<4 { sends[channel] = dry[channel % 2] }
  }

  func destroy() {
    scrubber.destroy()
    delete_fluid_settings(laneSettings)
    voiceList.deallocate()
    sums.destroy()
    lastSums.destroy()
    sounding.deallocate()
    waiting.deallocate()
    scratch.deallocate()
    dry.deallocate()
    sends.deallocate()
  }
}

extension Lane {
  init(
    pool: LanePool, tables: PresetTables, settings: InstrumentSettings
  ) throws(InstrumentError) {
    guard let synth = new_fluid_synth(pool.laneSettings) else { throw .outOfMemory }
    self.synth = synth
    self.pool = pool.index
    _ = try SoundFontDoor(of: synth, to: tables)
    fluid_synth_set_legato_mode(synth, 0, tables.legatoMode)
    legatoMode = tables.legatoMode
    if settings.effects.any, !pool.hasLaneEffects {
      enableRawSends(of: synth, settings.effects)
    }
    commands = .allocate(capacity: Self.commandCapacity)
    commands.initialize(
      repeating: LaneCommand(frame: 0, .pressure(0)), count: Self.commandCapacity)
    told = .allocate(capacity: 1)
    told.initialize(to: ChannelState())
    told.pointee.read(from: synth, channel: 0)
  }

  func destroy() {
    delete_fluid_synth(synth)
    commands.deallocate()
    told.deallocate()
  }
}
