import RenderCore
import Synchronization

/// The figures of an instrument that a unit's render thread publishes to other threads.
///
/// Each number is consistent by itself; different numbers may come from different cycles. Realtime: only publishing.
///
/// `@unchecked Sendable`: every number is atomic.
struct UnitFigures: @unchecked Sendable, BitwiseCopyable {
  private let numbers: UnsafeMutablePointer<Atomic<Int>>
  private static let names = ["notes", "late notes", "stolen notes", "most voices", "lanes"]

  init(in memory: RenderMemory) {
    numbers = memory.makeEach(Self.names.count + 1) { _ in Atomic(0) }
  }

  @_noLocks func publish(_ statistics: Statistics, isSounding: Bool) {
    numbers[0].store(statistics.notes, ordering: .relaxed)
    let late = statistics.inexactOnsets + statistics.unloadedNotes
    numbers[1].store(late, ordering: .relaxed)
    numbers[2].store(statistics.stolenNotes, ordering: .relaxed)
    numbers[3].store(statistics.mostVoices, ordering: .relaxed)
    numbers[4].store(statistics.lanes, ordering: .relaxed)
    numbers[5].store(isSounding ? 1 : 0, ordering: .relaxed)
  }

  /// Whether any note was sounding at the end of the last cycle.
  var isSounding: Bool { numbers[Self.names.count].load(ordering: .relaxed) != 0 }

  var status: [UnitStatus] {
    Self.names.enumerated().map { UnitStatus($1, numbers[$0].load(ordering: .relaxed)) }
  }
}
