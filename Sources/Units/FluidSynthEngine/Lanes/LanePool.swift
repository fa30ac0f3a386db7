import CFluidSynth
import CLinux
import Synchronization

/// A pool of lanes that instruments with the same rate, gain and sends share, one after another.
///
/// Notes that a lane played before do not affect its output, just as for its next note. A pooled lane references no
/// SoundFont.
///
/// The pool counts all lanes that exist, its own and those of its instruments, because their memory can be deducted
/// from the memory for recordings.
///
/// Realtime: no. Threads: any.
///
/// `@unchecked Sendable`: a lane belongs either to the pool or to one instrument; a mutex protects the rest.
public final class LanePool: @unchecked Sendable {
  struct Kind: Hashable {
    var settings: SynthSettings
    var sends: Effects
    var sharesMixBuffers: Bool
  }

  private struct Entry {
    /// The settings of all lanes of the kind, pooled or in use.
    let librarySettings: OpaquePointer
    var lanes: [Lane] = []
  }
  private var entries: [Kind: Entry] = [:]
  private var freedBytes = 0
  private let mutex = Mutex(())
  private let capacity: Int
  private let memory: RecordingMemory?

  /// The approximate size of a lane. A third of it is one of the library's reverbs, which never runs.
  static let laneBytes = 360_000
  /// Freed memory is returned to the system in portions of this size.
  private static let bytesAtOnce = 16 * laneBytes

  /// Creates an empty pool.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of pooled lanes of each kind: about 0.25 MB each.
  ///   - memory: The memory from which the size of lanes is deducted; `nil` for none.
  public init(capacity: Int, memory: RecordingMemory? = nil) {
    self.capacity = capacity
    self.memory = memory
  }

  deinit {
    for (_, entry) in entries {
      for lane in entry.lanes { free(lane) }
      delete_fluid_settings(entry.librarySettings)
    }
  }

  /// Returns the settings for new lanes. The pool owns them and must outlive the lanes.
  func librarySettings(of kind: Kind) throws(InstrumentError) -> OpaquePointer {
    try mutex.withLock { _ throws(InstrumentError) in
      if let entry = entries[kind] { return entry.librarySettings }
      let made = try makeLibrarySettings(kind.settings)
      entries[kind] = Entry(librarySettings: made)
      return made
    }
  }

  func acquire(_ kind: Kind) -> Lane? {
    mutex.withLock { _ in entries[kind]?.lanes.popLast() }
  }

  /// Counts a lane that was created because the pool had none.
  func recordNewLane() { memory?.lend(Self.laneBytes) }

  /// Returns a lane to the pool, or destroys it if the pool is full or the lane cannot be reused.
  func release(_ lane: Lane, _ kind: Kind) {
    var lane = lane
    let isStored = lane.detach() && add(lane, kind)
    if !isStored { free(lane) }
  }

  private func add(_ lane: Lane, _ kind: Kind) -> Bool {
    mutex.withLock { _ in
      guard let count = entries[kind]?.lanes.count, count < capacity else { return false }
      entries[kind]?.lanes.append(lane)
      return true
    }
  }

  private func free(_ lane: Lane) {
    lane.destroy()
    memory?.lend(-Self.laneBytes)
    let isThresholdReached = mutex.withLock { _ in
      freedBytes += Self.laneBytes
      guard freedBytes >= Self.bytesAtOnce else { return false }
      freedBytes = 0
      return true
    }
    if isThresholdReached { malloc_trim(0) }
  }
}
