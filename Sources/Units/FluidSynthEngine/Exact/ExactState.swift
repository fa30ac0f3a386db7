import CFluidSynth
import RenderCore
import Synchronization

/// The data of an exact instrument's render thread.
///
/// Created off the thread; all other methods are realtime-safe unless stated
/// otherwise. A cycle has four steps: ``plan(_:begin:)`` applies the events and starts notes in idle lanes,
/// ``LaneTable/render(group:frames:)`` renders the lanes of one group, in any order and on any thread, ``endCycle(frames:)`` ends
/// the cycle, and ``mix(_:left:right:stems:)`` sums the groups and runs the effects.
struct ExactState {
  private let maximumFrames: Int
  let rate: Int
  let library: LibraryProbe
  /// Reported by the instrument.
  let capabilities: LibraryCapabilities

  // The channels. Messages write them, notes read them; ``Engine`` saves and restores them between cycles.

  /// The synth of ``overflow``, which keeps the state of every channel.
  let controlSynth: OpaquePointer
  let channels: UnsafeMutablePointer<Channel>
  /// The settings by System Exclusive, and the choice of presets.
  var module: SoundModule
  let tunings: Tunings
  /// The channels that have changed since ``Engine/readChangedChannels()`` was last called, one bit per channel.
  var changedChannels: UInt16 = 0
  /// The channels begin with the revisions 1 to 16.
  private var lastRevision: UInt64 = 16
  /// Written by messages alone: the tuning that the unit's parameter sets, in cents, and the number of the last tuning.
  var masterTuning: Float = 0
  var lastTuning: UInt32 = 0
  /// The offsets of generators that the unit's parameters set.
  var offsets = GeneratorOffsets()

  // The notes, and what they need. Messages reach them, too.

  var lanes: LaneTable
  var overflow: Overflow
  /// The presets that lanes use from their next note on.
  private(set) var tables: PresetTables
  /// Made by another thread on request; read by ``Engine``.
  let requests: SupplyRequests
  var samples: NoteSamples
  /// Used by notes alone.
  var legatoZones: LegatoZones
  var substitutions: Substitutions

  // The mix. Behind pointers, because it may mix the previous cycle on another thread while this one is planned.

  /// Lane groups use it on their threads.
  let masterGain: UnsafeMutablePointer<MasterGain>
  /// `nil` without effects. ``Engine`` sets its parameters.
  private(set) var effectsAdapter: UnsafeMutablePointer<EffectsBlockAdapter>?
  /// The sums of the last cycle before the effects, `maximumFrames` per channel. For tests: ``ExactInstrument`` sets it.
  var tap: UnsafeMutablePointer<Int64>?
  /// The stem of each note, if there are stems.
  private(set) var stems: StemTable?
  /// Whether each MIDI channel is a stem, for ``mix(_:from:into:)``.
  private let separatesChannels: Bool

  // Records, which the instrument reads between cycles.

  /// Recordings of recurring notes, if the recurrences are known.
  private(set) var cache: UnsafeMutablePointer<NoteCache>?
  /// When each note begins and ends, if it is to be recorded.
  var log: NoteLog?
  var statistics = Statistics()

  /// The statistics with those of the effects.
  var allStatistics: Statistics {
    @_noLocks get {
      var all = statistics
      if let effectsAdapter { all.clippedSends = effectsAdapter.pointee.bus.clippedSamples }
      return all
    }
  }

  /// Marks a channel as changed and gives it a new revision.
  @_noLocks mutating func markChanged(_ channel: UInt8) {
    lastRevision += 1
    changedChannels |= 1 << UInt16(channel)
    channels[Int(channel)].state.revision = lastRevision
  }
}

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
    maximumFrames = settings.maximumFrames
    rate = settings.rate
    separatesChannels = settings.separatesChannels
    library = try .found(for: settings.bankStyle)
    capabilities = try LibraryCapabilities.found(tables: tables, settings: settings)
    let runsEffectsInLanes = settings.effects.any && !capabilities.carriesSends
    let sends = capabilities.carriesSends ? settings.sends : .none
    var synthSettings = SynthSettings(
      rate: settings.rate, polyphony: Int(Lane.polyphony), gain: settings.gain,
      effects: runsEffectsInLanes ? settings.effects : .none,
      reverbEngine: runsEffectsInLanes ? ReverbEngines.index(of: settings.reverbEngine) : nil)
    let maker = try LaneMaker(
      capacity: LaneTable.capacity(polyphony: settings.polyphony),
      requesting: settings.firstLanes, settings: synthSettings,
      sends: sends, tables: tables,
      sharesMixBuffers: capabilities.sharesMixBuffers && !runsEffectsInLanes,
      // The effects of a lane keep the tails of earlier notes.
      lanePool: runsEffectsInLanes ? nil : lanePool, in: memory)
    requests = SupplyRequests(
      presets: soundFont.requests.presets, samples: tables.samples, lanes: maker.provisioning)

    synthSettings.polyphony = settings.overflowVoices
    if separatesChannels { synthSettings.dryOutputs = ChannelOutputs.midiChannels }
    overflow = try Overflow(synthSettings, sends: sends, tables: tables, library, in: memory)
    controlSynth = overflow.synth
    tunings = Tunings(library, in: memory)
    lanes = LaneTable(
      maker, overflow: overflow.lane, tunings, settings: settings, in: memory)
    if separatesChannels {
      overflow.lane.pointee.stem = Lane.everyStem
      lanes.group(of: overflow.lane).pointee.overflowScratch = OverflowScratch(
        mixesEffects: runsEffectsInLanes, in: memory)
    }
    let (synth, library) = (controlSynth, library)
    channels = memory.makeEach(16) { index in
      var channel = Channel(library)
      channel.state.read(from: synth, channel: Int32(index))
      channel.state.revision = UInt64(index) + 1
      return channel
    }
    let masterGain = masterGain
    lanes.forEachGroup { group in
      group.masterGain = UnsafePointer(masterGain)
      group.resetsVoiceSlots = capabilities.freesSlots
      if runsEffectsInLanes { group.runEffectsInLanes() }
    }
    if sends.any {
      let bus = try EffectsBus(rate: settings.rate, engine: settings.reverbEngine, in: memory)
      effectsAdapter = memory.make(
        EffectsBlockAdapter(
          bus: bus, effects: settings.effects, maximumFrames: maximumFrames,
          masterGain: masterGain, in: memory))
    }
    requestSamples()
  }
}

// Resources that another thread makes for the render thread on request.
extension ExactState {
  @_noLocks func requestPresets(for message: ChannelMessage) {
    if tables.isShared { requests.presets.pointee.request(for: message) }
  }

  /// Adopts the lanes and presets that were made since the last cycle.
  @_noLocks mutating func adoptSupplies() {
    lanes.adoptMade()
    statistics.lanes = lanes.count
    if tables.isShared, let own = requests.presets.pointee.loaded { tables = own }
  }

  /// Returns whether there are idle lanes for `count` notes. If not, the missing lanes are requested.
  @_noLocks mutating func isReady(forNotes count: Int) -> Bool {
    adoptSupplies()
    return lanes.isReady(forNotes: count)
  }
}

extension ExactState {
  /// Renders a cycle, or a part of one.
  ///
  /// - Parameters:
  ///   - begin: The frame of the whole cycle at which the part begins. Event offsets count from the start
  ///     of the whole cycle.
  ///   - left: Receives `cycle.frames` samples.
  ///   - right: The same for the right channel.
  @_noLocks mutating func render(
    _ cycle: MIDICycle, begin: Int = 0, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    mix(renderLanes(cycle, begin: begin), left: left, right: right)
  }

  /// Renders a cycle, or a part of one, up to the mix.
  @_noLocks mutating func renderLanes(_ cycle: MIDICycle, begin: Int) -> RenderedCycle {
    plan(cycle, begin: begin)
    lanes.render(frames: cycle.frames)
    return endCycle(frames: cycle.frames)
  }

  /// Applies the events of a cycle: starts notes in idle lanes, and sends other messages to sounding lanes.
  @_noLocks mutating func plan(_ cycle: MIDICycle, begin: Int = 0) {
    precondition(cycle.frames > 0 && cycle.frames <= maximumFrames)
    adoptSupplies()
    startWaitingNotes()
    cache?.pointee.beginCycle(frames: cycle.frames)
    for event in cycle.events {
      let frame = lanes.now + Int64(min(Int(event.offset) - begin, cycle.frames - 1))
      switch event.content {
      case .channel(let message):
        handle(message, at: frame)
      case .sysEx(let start, let count):
        handleSysEx(cycle.sysExBytes(start, count), at: frame)
      case .system: break
      }
    }
  }

  /// Applies the events of a cycle whose sound nobody hears, so that later cycles have the same bits. The effects are then as if
  /// they had received silence since they were made.
  ///
  /// - Parameter endsReleased: Whether the SoundFont alone determines how long notes sound after their release.
  @_noLocks mutating func skip(_ cycle: MIDICycle, endsReleased: Bool) {
    if !lanes.isSkipping { lanes.beginSkipping() }
    plan(cycle)
    // Lanes follow the gain of the current cycle.
    lanes.skip(
      frames: cycle.frames, rendersAll: masterGain.pointee.isActive,
      // The effects of a lane sound on.
      endsReleased: endsReleased && !lanes.groups[0].hasLaneEffects)
    let ended = endCycle(frames: cycle.frames)
    effectsAdapter?.pointee.skip(ended)
    masterGain.pointee.skipWet()
  }

  /// Ends the cycle: its sums are ready to be mixed, and the next cycle may be planned.
  ///
  /// The previous cycle must have been mixed.
  @_noLocks mutating func endCycle(frames: Int) -> RenderedCycle {
    let ended = RenderedCycle(start: lanes.now, frames: frames)
    effectsAdapter?.pointee.endCycle(ended)
    masterGain.pointee.endCycle()
    lanes.endCycle(frames: frames)
    retireSilentLanes()
    requestSamples()
    lanes.request(notesWithoutLane: overflow.takeNotes())
    return ended
  }

  /// Sums the lane groups of the last ended cycle and runs the effects.
  ///
  /// May run while the next cycle is planned and rendered, because it shares no data with them.
  ///
  /// - Parameter stems: Receives the stems, or `nil`; see ``ExactInstrument/mix(_:left:right:stems:)``.
  @_noLocks func mix(
    _ cycle: RenderedCycle, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>,
    stems: UnsafeMutablePointer<Float>? = nil
  ) {
    let frames = cycle.frames
    let sums = lanes.lastSums(frames: frames)
    sums.addStems(frames: frames)
    if let tap {
      for channel in 0..<sums.channelCount {
        let copy = tap + channel * maximumFrames
        for i in 0..<frames { copy[i] = sums.channel(channel)[i] }
      }
    }
    FixedPoint.store(sums.channel(0), in: left, count: frames)
    FixedPoint.store(sums.channel(1), in: right, count: frames)
    if let stems {
      mixStems(sums, cycle, left: left, right: right, to: stems)
    } else {
      effectsAdapter?.pointee.process(sums, cycle, left: left, right: right)
    }
    sums.clear(frames: frames)
  }

  /// Renders all lanes up to `frame` during planning, to find out which notes have ended.
  @_noLocks mutating func renderAll(until frame: Int64) {
    lanes.renderAll(until: frame)
    retireSilentLanes()
  }

  /// Moves the lanes whose notes have ended to the idle ones.
  @_noLocks private mutating func retireSilentLanes() {
    var (silent, voiceless, unusable) = (0, 0, 0)
    lanes.retire { lane in
      log?.close(lane.pointee)
      cache?.pointee.release(
        lane.pointee.head, blocks: lane.pointee.blocks, channel: lane.pointee.channel)
      if !lane.pointee.wasAudible {
        silent += 1
        // It was stolen before its first block.
        if lane.pointee.isCut { voiceless += 1 }
      }
      if lane.pointee.isUnusable { unusable += 1 }
    }
    statistics.silentNotes += silent
    statistics.voicelessNotes += voiceless
    statistics.unusableLanes += unusable
    statistics.mostVoices = max(statistics.mostVoices, lanes.load.voices)
  }
}

// Recurring notes: recorded, and played from recordings.
extension ExactState {
  /// Sets the note that the cache refers to: the index of the note being started, in the order of the song.
  @_noLocks func announceNote() {
    cache?.pointee.currentNote = statistics.notes - 1
  }

  /// Makes the note being started, a further one of the same note-on, use no recording.
  @_noLocks mutating func announceFurtherNote() {
    cache?.pointee.currentNote = .max
    log?.beginUnlogged()
  }

  /// Plays the note that begins in a lane from a recording.
  ///
  /// - Returns: `false` if there is no recording of the note.
  @_noLocks func playRecording(in lane: UnsafeMutablePointer<Lane>, velocity: UInt8) -> Bool {
    let channel = channels + Int(lane.pointee.channel)
    guard let cache, let head = cache.pointee.play(lane, velocity: velocity, channel) else {
      return false
    }
    lane.pointee.head = head
    lane.pointee.voices = cache.pointee.recordings[head.recording].voices
    lane.pointee.classes = cache.pointee.recordings[head.recording].classes
    return true
  }

  /// Records the note that a lane's synth has just started, if the note will recur.
  @_noLocks func record(_ lane: UnsafeMutablePointer<Lane>, velocity: UInt8) {
    let channel = channels + Int(lane.pointee.channel)
    guard let cache, lane.pointee.head.isOff,
      let head = cache.pointee.record(lane, velocity: velocity, channel)
    else { return }
    lane.pointee.head = head
  }

  /// Enables the note cache. Must be called before the first cycle. Realtime: no.
  mutating func keepRecordings(
    _ recurrence: Recurrence, in memory: RecordingMemory, isShared: Bool,
    _ renderMemory: RenderMemory
  ) {
    let cache = renderMemory.make(
      NoteCache(recurrence, in: memory, isShared: isShared, renderMemory))
    renderMemory.onRelease { cache.pointee.leaveMemory() }
    self.cache = cache
    for group in 0..<lanes.groupCount { lanes.groups[group].cache = cache }
  }
}

// The dry sound of notes, separated into stems.
extension ExactState {
  /// The stem of a note that is being started on a channel; −1 without stems.
  @_noLocks func stem(ofNote note: Int, _ channel: UInt8) -> Int32 {
    if separatesChannels { return Int32(channel) }
    return stems?.stem(ofNote: note) ?? -1
  }

  /// Enables stems. Must be called before the first cycle. Realtime: no.
  mutating func keepStems(_ table: StemTable, in memory: RenderMemory) {
    stems = table
    let count = table.count + 1
    let maximumFrames = maximumFrames
    lanes.forEachGroup { $0.keepStems(count, maximumFrames: maximumFrames, in: memory) }
    // The control synth plays notes of all channels at once, which cannot be separated.
    overflow.lane.pointee.stem = Int32(table.count)
  }

  /// Writes the stems and the rest, and adds the effects to the mix.
  ///
  /// - Parameters:
  ///   - left: Contains the dry mix.
  ///   - right: The same for the right channel.
  ///   - output: Receives left and right of each stem, `maximumFrames` apart; the rest comes last.
  @_noLocks private func mixStems(
    _ sums: Sums, _ cycle: RenderedCycle, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, to output: UnsafeMutablePointer<Float>
  ) {
    guard let stems else { return }
    let frames = cycle.frames
    for stem in 0..<stems.count {
      for side in 0..<2 {
        sums.store(
          stem: stem, side: side, in: output + (2 * stem + side) * maximumFrames, frames: frames)
      }
    }
    let (wetLeft, wetRight) = (
      output + 2 * stems.count * maximumFrames, output + (2 * stems.count + 1) * maximumFrames
    )
    wetLeft.update(repeating: 0, count: frames)
    wetRight.update(repeating: 0, count: frames)
    effectsAdapter?.pointee.process(sums, cycle, left: wetLeft, right: wetRight)
    for i in 0..<frames {
      left[i] += wetLeft[i]
      right[i] += wetRight[i]
    }
    guard sums.isUsed(stem: stems.count) else { return }
    let rest = sums.channel(ofStem: stems.count)
    add(sums.channel(rest), to: wetLeft, frames)
    add(sums.channel(rest + 1), to: wetRight, frames)
  }

  @_noLocks private func add(
    _ sums: UnsafePointer<Int64>, to output: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    for i in 0..<frames { output[i] += Float(Double(sums[i]) * (1 / FixedPoint.scale)) }
  }
}

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
    let sums = lanes.lastSums(frames: frames)
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
