import CFluidSynth
import CLinux
import Synchronization

/// Lanes that instruments leave behind for others of the same rate, gain and sends.
///
/// What a lane played before is never heard: it plays for its next instrument as it would for its next
/// note. It keeps nothing of the SoundFont that it played.
///
/// It counts the lanes that there are, its own and its instruments', for their memory can be lent from
/// that for recordings.
///
/// Realtime: no. Threads: any.
///
/// `@unchecked Sendable`: a lane belongs to the shelf or to one instrument; the rest is behind the
/// mutex.
public final class LanePool: @unchecked Sendable {
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
  private var freedBytes = 0
  private let mutex = Mutex(())
  private let capacity: Int
  private let memory: RecordingMemory?

  /// What a lane takes, about. A third of it is a reverb of the library's, which it never runs.
  static let laneBytes = 360_000
  /// The library takes its memory in pieces, which go back to the system when it is asked to.
  private static let bytesAtOnce = 16 * laneBytes

  /// - Parameters:
  ///   - capacity: How many lanes may lie on it, of each kind: about 0.4 MB each.
  ///   - memory: What lends lanes their memory; `nil`: they have their own.
  public init(capacity: Int, memory: RecordingMemory? = nil) {
    self.capacity = capacity
    self.memory = memory
  }

  deinit {
    for (_, place) in places {
      for lane in place.lanes { free(lane) }
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

  /// Counts a lane that was made because none lay there.
  func countNew() { memory?.lend(Self.laneBytes) }

  /// Takes a lane back, or frees it where there is no room for it or it is of no use to others.
  func put(_ lane: Lane, _ kind: Kind) {
    var lane = lane
    let isPut = lane.leave() && add(lane, kind)
    if !isPut { free(lane) }
  }

  private func add(_ lane: Lane, _ kind: Kind) -> Bool {
    mutex.withLock { _ in
      guard let count = places[kind]?.lanes.count, count < capacity else { return false }
      places[kind]?.lanes.append(lane)
      return true
    }
  }

  private func free(_ lane: Lane) {
    lane.destroy()
    memory?.lend(-Self.laneBytes)
    let isMuch = mutex.withLock { _ in
      freedBytes += Self.laneBytes
      guard freedBytes >= Self.bytesAtOnce else { return false }
      freedBytes = 0
      return true
    }
    if isMuch { malloc_trim(0) }
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
    guard !isSounding, !isUnusable, usedSlots == 0, told.pointee.tuning == 0, tables.only == nil
    else {
      return false
    }
    commandCount = 0
    for channel in 0..<Int32(16) { fluid_synth_unset_program(synth, channel) }
    return true
  }
}
