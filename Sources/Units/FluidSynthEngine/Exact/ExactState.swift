import CFluidSynth
import RenderCore
import Synchronization

/// The data of an exact instrument's render thread.
///
/// Created off the thread; all other methods are realtime-safe unless stated
/// otherwise. A cycle has four steps: ``plan(_:begin:)`` applies the events and starts notes in idle lanes,
/// ``render(group:frames:)`` renders the lanes of one group, in any order and on any thread, ``endCycle(frames:)`` ends
/// the cycle, and ``mix(_:left:right:stems:)`` sums the groups and runs the effects.
struct ExactState {
  let polyphony: Int
  let maximumFrames: Int
  let capabilities: LibraryCapabilities
  let library: LibraryProbe
  /// The presets that lanes use from their next note on.
  var tables: PresetTables

  /// A synth that receives all messages but notes. It keeps the channel state by FluidSynth's own rules for
  /// resets, banks, parameters, modes and tunings, and the engine reads the state from it. It can therefore
  /// also play notes without a lane, on any channel.
  let controlSynth: OpaquePointer
  /// The control synth as a lane. It is neither in the sounding nor in the idle lanes of a group.
  let overflow: UnsafeMutablePointer<Lane>
  let overflowVoices: VoiceList
  var voiceOwnership: VoiceOwnership
  /// Notes without a lane in the current cycle.
  var notesWithoutLane = 0
  let channels: UnsafeMutablePointer<Channel>
  /// The settings by System Exclusive, and the choice of presets.
  var module: SoundModule
  /// Behind a pointer because lane groups and the mix use it on other threads.
  let masterGain: UnsafeMutablePointer<MasterGain>
  let tunings: Tunings
  /// The channels begin with the revisions 1 to 16.
  private var lastRevision: UInt64 = 16
  /// The channels that have changed since ``Engine/readChangedChannels()`` was last called, one bit per channel.
  var changedChannels: UInt16 = 0
  /// The tuning that the unit's parameter sets, in cents.
  var masterTuning: Float = 0
  var lastTuning: UInt32 = 0

  let lanes: UnsafeMutablePointer<Lane>
  /// The number of lanes in use, idle or sounding.
  var laneCount = 0
  private let laneCapacity: Int
  let maker: LaneMaker
  let provisioning: UnsafeMutablePointer<LaneProvisioning>
  var forecast: LaneForecast
  let requests: SupplyRequests
  var samples: NoteSamples
  var legatoZones: LegatoZones
  let groups: UnsafeMutablePointer<LaneGroup>
  let groupCount: Int
  /// The threads that render lanes of group 0, which is then the only group, beside the render thread; `nil`: none.
  var helpers: UnsafeMutablePointer<Helpers>?

  /// The first frame of the current cycle.
  var now: Int64 = 0
  /// Behind a pointer because it may mix the previous cycle while this one is planned. `nil` without effects.
  var effectsAdapter: UnsafeMutablePointer<EffectsBlockAdapter>?
  /// The sums of the last cycle before the effects, `maximumFrames` per channel. For tests.
  var tap: UnsafeMutablePointer<Int64>?
  /// The stem of each note, if there are stems.
  var stems: StemTable?
  /// Whether each MIDI channel is a stem, for ``mix(_:from:into:)``.
  let separatesChannels: Bool

  /// Recordings of recurring notes, if the recurrences are known.
  var cache: UnsafeMutablePointer<NoteCache>?

  /// When each note begins and ends, if it is to be recorded.
  var log: NoteLog?

  var statistics = Statistics()
  var substitutions: Substitutions

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

// Resources that another thread makes for the render thread on request.
extension ExactState {
  @_noLocks func requestPresets(for message: ChannelMessage) {
    if tables.isShared { requests.presets.pointee.request(for: message) }
  }

  /// Adopts the lanes and presets that were made since the last cycle.
  @_noLocks mutating func adoptSupplies() {
    let made = provisioning.pointee.madeCount.load(ordering: .acquiring)
    while laneCount < made {
      groups[Int(lanes[laneCount].group)].addIdle(Int32(laneCount))
      laneCount += 1
    }
    statistics.lanes = laneCount
    if tables.isShared, let own = requests.presets.pointee.loaded { tables = own }
  }

  /// Returns whether there are idle lanes for `count` notes. If not, the missing lanes are requested.
  @_noLocks mutating func isReady(forNotes count: Int) -> Bool {
    adoptSupplies()
    var idle = 0
    for group in 0..<groupCount { idle += groups[group].idleCount }
    if idle >= count || laneCount >= laneCapacity { return true }
    let target = min(laneCount + count - idle, laneCapacity)
    if target > provisioning.pointee.requestedCount.load(ordering: .relaxed) {
      provisioning.pointee.requestedCount.store(target, ordering: .relaxed)
    }
    return false
  }

  /// At the end of a cycle: requests lanes, if too few are idle, and samples.
  @_noLocks mutating func requestLanes() {
    requestSamples()
    var sounding = 0
    var idle = 0
    for group in 0..<groupCount {
      sounding += groups[group].soundingCount
      idle += groups[group].idleCount
    }
    let target = forecast.update(sounding: sounding + notesWithoutLane, idle: idle, now: now)
    notesWithoutLane = 0
    guard let target, target > provisioning.pointee.requestedCount.load(ordering: .relaxed) else {
      return
    }
    provisioning.pointee.requestedCount.store(min(target, laneCapacity), ordering: .relaxed)
  }
}

// Values set by messages for which the control synth has no getter.
extension ExactState {
  /// Tracks parameter selection, data entry and portamento time. Must be called directly after the control
  /// synth has received the controller.
  @_noLocks mutating func trackDataEntry(_ channel: UInt8, number: UInt8, at frame: Int64) {
    if number == Controller.portamentoTimeLSB, library.hasPortamentoTimeModes {
      makePortamentoTimeLinear(at: frame)
    }
    let entry = channels[Int(channel)].state.entry.follow(
      number, controlSynth, channel: Int32(channel), library)
    switch entry {
    case .nothing: return
    case .bendRange(let range): send(.bendRange(range), toChannel: channel, at: frame)
    case .parameter(let number, let value):
      send(.parameter(number: number, value: value), toChannel: channel, at: frame)
    }
    markChanged(channel)
  }

  /// Adopts values that were set in the control synth by other means than messages.
  @_noLocks mutating func adopt(_ tracked: DataEntry, _ channel: UInt8) {
    let state = channels + Int(channel)
    if tracked.bendRange != state.pointee.state.entry.bendRange {
      send(.bendRange(tracked.bendRange), toChannel: channel, at: now)
    }
    if state.pointee.state.entry.parameters.exceeds(tracked.parameters) {
      send(.control(number: Controller.resetAll, value: 0), toChannel: channel, at: now)
      state.pointee.state.entry.parameters.resetControllers()
    }
    for number in 0..<EnteredParameters.count where EnteredParameters.keeps(number) {
      let value = tracked.parameters[number]
      if value == state.pointee.state.entry.parameters[number] { continue }
      send(.parameter(number: number, value: value), toChannel: channel, at: now)
    }
    state.pointee.state.entry = tracked
    markChanged(channel)
  }

  /// After the first portamento time LSB, the portamento times of all channels are linear with 14 bits,
  /// until a system reset.
  @_noLocks private mutating func makePortamentoTimeLinear(at frame: Int64) {
    if channels[0].state.isPortamentoTimeLinear { return }
    for channel in 0..<UInt8(16) {
      channels[Int(channel)].state.isPortamentoTimeLinear = true
      markChanged(channel)
      send(.linearPortamentoTime, toChannel: channel, at: frame)
    }
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
