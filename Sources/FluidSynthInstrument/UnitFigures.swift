import RenderCore
import Synchronization

/// What a unit's render thread lets other threads know of its instrument.
///
/// Realtime: publishing is. Each number is whole; they may be of different cycles.
struct UnitFigures: @unchecked Sendable, BitwiseCopyable {
  private let numbers: UnsafeMutablePointer<Atomic<Int>>
  private static let names = ["notes", "late notes", "stolen notes", "most voices", "lanes"]

  /// Allocates; ``destroy()`` must follow.
  init() {
    numbers = .allocate(capacity: Self.names.count)
    for i in Self.names.indices { (numbers + i).initialize(to: Atomic(0)) }
  }

  func destroy() { numbers.deallocate() }

  @_noLocks func publish(_ statistics: Statistics) {
    numbers[0].store(statistics.notes, ordering: .relaxed)
    numbers[1].store(statistics.inexactOnsets, ordering: .relaxed)
    numbers[2].store(statistics.stolenNotes, ordering: .relaxed)
    numbers[3].store(statistics.mostVoices, ordering: .relaxed)
    numbers[4].store(statistics.lanes, ordering: .relaxed)
  }

  var status: [UnitStatus] {
    Self.names.enumerated().map { UnitStatus($1, numbers[$0].load(ordering: .relaxed)) }
  }
}
