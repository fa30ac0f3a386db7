import LocalSystem
import Synchronization

/// The deadline of a render thread's waits, which the ``DeadlineTimer`` reads.
///
/// `@unchecked Sendable`: all values are atomic.
struct WaitDeadline: @unchecked Sendable, BitwiseCopyable {
  /// The word on which the render thread waits.
  let word: SharedWord
  private let times: UnsafeMutablePointer<Times>
  private let timer: TimerSignal

  /// Written by the render thread.
  private struct Times: ~Copyable {
    /// In nanoseconds of ``MonotonicClock``; 0 while the thread does not wait.
    let deadline = Atomic<Int64>(0)
    /// The limit of the last wait in nanoseconds; 0 before the first wait.
    let limit = Atomic<Int64>(0)
  }

  /// Allocates memory. The owner must call ``destroy()``.
  init(of word: SharedWord, timer: TimerSignal) {
    self.word = word
    self.timer = timer
    // A cache line of its own, because different processors write the deadlines.
    times = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
      .bindMemory(to: Times.self, capacity: 1)
    times.initialize(to: Times())
  }

  func destroy() { times.deallocate() }

  /// Sets the deadline of a wait that starts now. Realtime: yes.
  ///
  /// Wakes the timer only if its next check is after the deadline. This is rare, because it checks once per `limit`.
  @_noLocks func set(_ deadline: Int64, limit: Int64) {
    times.pointee.limit.store(limit, ordering: .relaxed)
    times.pointee.deadline.store(deadline, ordering: .sequentiallyConsistent)
    if timer.nextCheck > deadline { timer.wake() }
  }

  /// Clears the deadline at the end of the wait. Realtime: yes.
  @_noLocks func clear() { times.pointee.deadline.store(0, ordering: .relaxed) }

  /// The deadline, or 0, and the limit of the last wait.
  var current: (deadline: Int64, limit: Int64) {
    (
      times.pointee.deadline.load(ordering: .sequentiallyConsistent),
      times.pointee.limit.load(ordering: .relaxed)
    )
  }

  static func == (a: Self, b: Self) -> Bool { a.times == b.times }
}

/// The time of the timer's next check, and the word with which render threads wake it. The memory is never freed.
struct TimerSignal: @unchecked Sendable, BitwiseCopyable {
  private let time = UnsafeMutablePointer<Atomic<Int64>>.allocate(capacity: 2)
  /// Changes when the timer must check earlier.
  let word: SharedWord

  init() {
    time.initialize(to: Atomic(.max))
    (time + 1).initialize(to: Atomic(0))
    word = SharedWord(at: time + 1)
  }

  /// In nanoseconds of ``MonotonicClock``.
  var nextCheck: Int64 {
    @_noLocks get { time.pointee.load(ordering: .sequentiallyConsistent) }
    nonmutating set { time.pointee.store(newValue, ordering: .sequentiallyConsistent) }
  }

  @_noLocks func wake() {
    word.increase()
    word.wake()
  }
}
