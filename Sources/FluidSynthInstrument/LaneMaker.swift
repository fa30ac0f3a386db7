import CFluidSynth
import Synchronization

/// Makes lanes, in the places of the table that the render thread does not use yet.
///
/// One thread at a time makes, which need not be the one that renders.
struct LaneMaker {
  let lanes: UnsafeMutablePointer<Lane>
  let capacity: Int
  let supply: UnsafeMutablePointer<LaneSupply>
  /// Shared by all lanes, for settings are larger than one would think.
  let librarySettings: OpaquePointer
  /// Which sends lanes hand out; none where they run effects of their own.
  let sends: Effects
  /// What new lanes can play.
  let tables: PresetTables

  /// - Parameters:
  ///   - settings: Those of all lanes.
  ///   - capacity: How many lanes there can be.
  /// - Throws: ``InstrumentError/outOfMemory``.
  init(
    capacity: Int, settings: SynthSettings, sends: Effects, tables: PresetTables
  ) throws(InstrumentError) {
    librarySettings = try makeLibrarySettings(settings)
    lanes = .allocate(capacity: capacity)
    supply = .allocate(capacity: 1)
    supply.initialize(to: LaneSupply())
    self.capacity = capacity
    self.sends = sends
    self.tables = tables
  }

  var made: Int { supply.pointee.made.load(ordering: .acquiring) }

  /// Makes one lane, to be rendered by a pool. The table must have room.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  func make(pool: Int) throws(InstrumentError) {
    let place = made
    let lane = try Lane(
      librarySettings: librarySettings, pool: Int32(pool), sends: sends, tables: tables)
    (lanes + place).initialize(to: lane)
    supply.pointee.made.store(place + 1, ordering: .releasing)
  }

  /// Makes the lanes that the render thread has asked for, for each pool in turn.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  func makeWhatIsWanted(pools: Int) throws(InstrumentError) {
    while made < min(supply.pointee.wanted.load(ordering: .relaxed), capacity) {
      try make(pool: made % pools)
    }
  }

  /// Frees all lanes; nobody may render any more.
  func destroy() {
    for place in 0..<made { lanes[place].destroy() }
    lanes.deallocate()
    supply.deinitialize(count: 1)
    supply.deallocate()
    delete_fluid_settings(librarySettings)
  }
}

extension Lane {
  /// - Throws: ``InstrumentError/outOfMemory``.
  init(
    librarySettings: OpaquePointer, pool: Int32, sends: Effects, tables: PresetTables
  ) throws(InstrumentError) {
    guard let synth = new_fluid_synth(librarySettings) else { throw .outOfMemory }
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
    self.pool = pool
    self.tables = tables
    door = try SoundFontDoor(of: synth, to: tables)
    if sends.any { enableRawSends(of: synth, sends) }
    commands = .allocate(capacity: Self.commandCapacity)
    commands.initialize(
      repeating: LaneCommand(frame: 0, .pressure(0)), count: Self.commandCapacity)
    told = .allocate(capacity: 1)
    told.initialize(to: ChannelState())
    told.pointee.read(from: synth, channel: 0)
    setLegatoMode()
  }

  func destroy() {
    delete_fluid_synth(synth)
    commands.deallocate()
    told.deallocate()
  }
}
