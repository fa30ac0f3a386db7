import NodeProtocol
import Synchronization
import Threads

/// A table in which render threads store the deadlines of their waits, for the ``DeadlineTimer``.
///
/// Realtime: yes. Each slot belongs to one render thread.
struct DeadlineTable: @unchecked Sendable, BitwiseCopyable {
  /// Two values for each slot: the deadline of its thread's wait in nanoseconds of ``MonotonicClock``, or 0 while the
  /// thread does not wait; and the longest wait in nanoseconds.
  private let atomics: UnsafeMutablePointer<Atomic<Int64>>
  /// The time of the timer's next check, in nanoseconds of ``MonotonicClock``.
  private let nextCheck: UnsafeMutablePointer<Atomic<Int64>>
  /// Changes when the timer must check earlier.
  let wakeWord: SharedWord

  /// The number of slots.
  static let capacity = 1024
  // One cache line per slot, because different processors write the slots.
  private static var stride: Int { @_noLocks get { 8 } }

  /// Allocates memory, which is never freed.
  init() {
    atomics = .allocate(capacity: Self.capacity * Self.stride)
    for i in 0..<Self.capacity * Self.stride { (atomics + i).initialize(to: Atomic(0)) }
    nextCheck = .allocate(capacity: 1)
    nextCheck.initialize(to: Atomic(.max))
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    memory.initialize(to: 0)
    wakeWord = SharedWord(at: memory)
  }

  /// Sets the deadline of a wait that starts now.
  ///
  /// Wakes the timer only if its next check is after the deadline. This is rare, because it checks once per `limit`.
  @_noLocks func set(_ deadline: Int64, limit: Int64, at slot: Int) {
    atomics[slot * Self.stride + 1].store(limit, ordering: .relaxed)
    atomics[slot * Self.stride].store(deadline, ordering: .sequentiallyConsistent)
    if nextCheck.pointee.load(ordering: .sequentiallyConsistent) > deadline { wakeTimer() }
  }

  /// Clears the deadline at the end of the wait.
  @_noLocks func clear(_ slot: Int) {
    atomics[slot * Self.stride].store(0, ordering: .relaxed)
  }

  @_noLocks func wakeTimer() {
    wakeWord.increase()
    wakeWord.wake()
  }

  /// Returns the deadline of a slot; `nil` while its thread does not wait.
  func deadline(at slot: Int) -> Int64? {
    let deadline = atomics[slot * Self.stride].load(ordering: .sequentiallyConsistent)
    return deadline == 0 ? nil : deadline
  }

  /// Returns the longest wait of a slot; 0 before its first wait.
  func limit(at slot: Int) -> Int64 {
    atomics[slot * Self.stride + 1].load(ordering: .relaxed)
  }

  /// Stores the time of the timer's next check. A render thread that set its deadline just before did not see this
  /// time, so the caller must check the table once more afterwards.
  func setNextCheck(_ time: Int64) {
    nextCheck.pointee.store(time, ordering: .sequentiallyConsistent)
  }
}
