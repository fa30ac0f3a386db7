import CFluidSynth
import CFluidSynthOverrides
import Synchronization

/// Makes lanes, in the places of the table that the render thread does not use yet.
///
/// One thread at a time makes, which need not be the one that renders.
struct LaneMaker {
  let lanes: UnsafeMutablePointer<Lane>
  let capacity: Int
  let supply: UnsafeMutablePointer<LaneProvisioning>
  /// Shared by all lanes, for settings are larger than one would think.
  let librarySettings: OpaquePointer
  /// Where lanes come from and go to, if there are some; `nil`: they are made and freed.
  private let shelf: Unmanaged<LanePool>?
  private let kind: LanePool.Kind
  /// Which sends lanes hand out; none where they run effects of their own.
  let sends: Effects
  /// What new lanes can play.
  let tables: PresetTables

  /// - Parameters:
  ///   - settings: Those of all lanes.
  ///   - capacity: How many lanes there can be.
  ///   - shelf: It must outlive the lanes.
  /// - Throws: ``InstrumentError/outOfMemory``.
  init(
    capacity: Int, settings: SynthSettings, sends: Effects, tables: PresetTables,
    shelf: LanePool? = nil
  ) throws(InstrumentError) {
    kind = LanePool.Kind(settings: settings, sends: sends)
    librarySettings =
      if let shelf { try shelf.librarySettings(of: kind) } else {
        try makeLibrarySettings(settings)
      }
    self.shelf = shelf.map(Unmanaged.passUnretained)
    lanes = .allocate(capacity: capacity)
    supply = .allocate(capacity: 1)
    supply.initialize(to: LaneProvisioning())
    self.capacity = capacity
    self.sends = sends
    self.tables = tables
  }

  var hasShelf: Bool { shelf != nil }
  var made: Int { supply.pointee.made.load(ordering: .acquiring) }

  /// Makes one lane, or takes one from the shelf, to be rendered by a pool. The table must have room.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  func make(pool: Int) throws(InstrumentError) {
    try fill(made, pool: pool)
    supply.pointee.made.store(made + 1, ordering: .releasing)
  }

  /// The same, in a place that is vacant. Not while anybody renders.
  ///
  /// - Returns: The place; `nil` if none is vacant.
  func refill(pool: Int) throws(InstrumentError) -> Int? {
    guard let place = supply.pointee.vacant.last else { return nil }
    try fill(place, pool: pool)
    supply.pointee.vacant.removeLast()
    return place
  }

  private func fill(_ place: Int, pool: Int) throws(InstrumentError) {
    if tables.only == nil, var lane = shelf?.takeUnretainedValue().take(kind) {
      lane.join(pool: Int32(pool), tables: tables)
      (lanes + place).initialize(to: lane)
    } else {
      let lane = try Lane(
        librarySettings: librarySettings, runsReverb: kind.settings.effects.reverb,
        pool: Int32(pool), sends: sends, tables: tables)
      shelf?.takeUnretainedValue().countNew()
      (lanes + place).initialize(to: lane)
    }
  }

  /// Makes the lanes that the render thread has asked for, for each pool in turn.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  func makeWhatIsWanted(pools: Int) throws(InstrumentError) {
    while made < min(supply.pointee.wanted.load(ordering: .relaxed), capacity) {
      try make(pool: made % pools)
    }
  }

  /// Frees a lane, or puts it on the shelf. It must be silent, and nobody may render.
  func putAway(_ place: Int) {
    if let shelf {
      shelf.takeUnretainedValue().put(lanes[place], kind)
    } else {
      lanes[place].destroy()
    }
    supply.pointee.vacant.append(place)
  }

  /// Puts all lanes away; nobody may render any more.
  func destroy() {
    let vacant = Set(supply.pointee.vacant)
    for place in 0..<made where !vacant.contains(place) { putAway(place) }
    lanes.deallocate()
    supply.deinitialize(count: 1)
    supply.deallocate()
    if !hasShelf { delete_fluid_settings(librarySettings) }
  }
}

extension Lane {
  /// - Throws: ``InstrumentError/outOfMemory``.
  init(
    librarySettings: OpaquePointer, runsReverb: Bool, pool: Int32, sends: Effects,
    tables: PresetTables
  ) throws(InstrumentError) {
    let synth = try newSynth(librarySettings, mayRunReverb: runsReverb)
    do throws(InstrumentError) {
      try self.init(synth: synth, pool: pool, sends: sends, tables: tables)
    } catch {
      delete_fluid_synth(synth)
      throw error
    }
  }

  /// Makes a lane of a new synth, which is the lane's from then on.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  init(
    synth: OpaquePointer, pool: Int32, sends: Effects, tables: PresetTables
  ) throws(InstrumentError) {
    self.synth = synth
    voiceReset = try VoiceReset()
    self.pool = pool
    self.tables = tables
    library = try LibraryProbe.found()
    do throws(InstrumentError) {
      door = try SoundFontProxy(of: synth, to: tables)
    } catch {
      voiceReset.destroy()
      throw error
    }
    if sends.any { enableRawSends(of: synth, sends) }
    commands = .allocate(capacity: Self.commandCapacity)
    commands.initialize(
      repeating: LaneCommand(frame: 0, .pressure(0)), count: Self.commandCapacity)
    told = .allocate(capacity: 1)
    told.initialize(to: ChannelState())
    told.pointee.read(from: synth, channel: 0)
    setModes()
    // Not by what it happens to hear itself: the mode is that of all channels together.
    portamento_time_mode_set(UnsafeMutableRawPointer(synth), false)
  }

  func destroy() {
    delete_fluid_synth(synth)
    // After the synth, whose voices read its sample.
    voiceReset.destroy()
    commands.deallocate()
    told.deallocate()
  }
}
