import NodeProtocol
import Synchronization
import Threads

/// Where render threads write until when they wait, and the ``DeadlineKeeper`` reads it.
///
/// Realtime: yes. Each place belongs to one render thread.
struct DeadlineTable: @unchecked Sendable, BitwiseCopyable {
  /// Two for each place: until when its thread waits, in nanoseconds of ``MonotonicClock``, or 0 while it
  /// does not; and how long it waits at most.
  private let numbers: UnsafeMutablePointer<Atomic<Int64>>
  /// When the keeper looks next.
  private let nextLook: UnsafeMutablePointer<Atomic<Int64>>
  /// Changes when the keeper has to look sooner.
  let bell: SharedWord

  static let places = 1024
  // A cache line for each, as they are written by different processors.
  private static var stride: Int { @_noLocks get { 8 } }

  /// Allocates, for as long as the process lives.
  init() {
    numbers = .allocate(capacity: Self.places * Self.stride)
    for i in 0..<Self.places * Self.stride { (numbers + i).initialize(to: Atomic(0)) }
    nextLook = .allocate(capacity: 1)
    nextLook.initialize(to: Atomic(.max))
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    memory.initialize(to: 0)
    bell = SharedWord(at: memory)
  }

  /// Has a wait watched that begins about now.
  ///
  /// Rings only if the keeper would look too late, which is seldom: it looks once in each `limit`.
  @_noLocks func set(_ deadline: Int64, limit: Int64, at place: Int) {
    numbers[place * Self.stride + 1].store(limit, ordering: .relaxed)
    numbers[place * Self.stride].store(deadline, ordering: .sequentiallyConsistent)
    if nextLook.pointee.load(ordering: .sequentiallyConsistent) > deadline { ring() }
  }

  /// Ends the watch.
  @_noLocks func clear(_ place: Int) {
    numbers[place * Self.stride].store(0, ordering: .relaxed)
  }

  @_noLocks private func ring() {
    bell.increase()
    bell.wake()
  }

  /// `nil` while the place's thread does not wait.
  func deadline(at place: Int) -> Int64? {
    let deadline = numbers[place * Self.stride].load(ordering: .sequentiallyConsistent)
    return deadline == 0 ? nil : deadline
  }

  /// 0 before the first wait.
  func limit(at place: Int) -> Int64 {
    numbers[place * Self.stride + 1].load(ordering: .relaxed)
  }

  /// Says when the keeper looks next. Whoever has just set a deadline did not know, so the board is to be
  /// looked at once more afterwards.
  func announce(_ look: Int64) { nextLook.pointee.store(look, ordering: .sequentiallyConsistent) }
}
