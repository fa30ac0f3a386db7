import CFluidSynth
import Synchronization

/// Lanes that instruments leave behind for others of the same rate, gain and sends.
///
/// What a lane played before is never heard: it plays for its next instrument as it would for its next
/// note. It keeps nothing of the SoundFont that it played.
///
/// Realtime: no. Threads: any.
///
/// `@unchecked Sendable`: a lane belongs to the shelf or to one instrument; the rest is behind the
/// mutex.
public final class LaneShelf: @unchecked Sendable {
  struct Kind: Hashable {
    var settings: SynthSettings
    var sends: Effects
  }

  private struct Places {
    /// Those of all lanes of the kind, on the shelf or not.
    let librarySettings: OpaquePointer
    var lanes: [Lane] = []
  }
  private var places: [Kind: Places] = [:]
  private let mutex = Mutex(())
  private let capacity: Int

  /// - Parameter capacity: How many lanes may lie on it, of each kind: about 0.5 MB each.
  public init(capacity: Int) { self.capacity = capacity }

  deinit {
    for (_, place) in places {
      for lane in place.lanes { lane.destroy() }
      delete_fluid_settings(place.librarySettings)
    }
  }

  /// Settings to make lanes with. They stay the shelf's, which must outlive the lanes.
  func librarySettings(of kind: Kind) throws(InstrumentError) -> OpaquePointer {
    try mutex.withLock { _ throws(InstrumentError) in
      if let known = places[kind] { return known.librarySettings }
      let made = try makeLibrarySettings(kind.settings)
      places[kind] = Places(librarySettings: made)
      return made
    }
  }

  func take(_ kind: Kind) -> Lane? {
    mutex.withLock { _ in places[kind]?.lanes.popLast() }
  }

  /// - Returns: Whether there was room for it.
  func put(_ lane: Lane, _ kind: Kind) -> Bool {
    mutex.withLock { _ in
      guard let count = places[kind]?.lanes.count, count < capacity else { return false }
      places[kind]?.lanes.append(lane)
      return true
    }
  }
}

extension Lane {
  /// Readies a lane of the shelf for an instrument.
  mutating func join(pool: Int32, tables: PresetTables) {
    self.pool = pool
    turn(to: tables)
  }

  /// Lets go of all that it holds of its instrument. It must be silent.
  ///
  /// - Returns: Whether another instrument may have it.
  mutating func leave() -> Bool {
    // A table of tunings is its instrument's.
    guard !isSounding, usedSlots == 0, told.pointee.tuning == 0, tables.only == nil else {
      return false
    }
    commandCount = 0
    for channel in 0..<Int32(16) { fluid_synth_unset_program(synth, channel) }
    return true
  }
}
