import Synchronization

/// The counters of a render thread, which other threads can read.
///
/// Realtime: yes. One thread writes them. Each counter is read atomically, but two counters may be of different cycles.
///
/// `@unchecked Sendable`: the counters are atomic.
package struct RenderCounters: @unchecked Sendable, BitwiseCopyable {
  private let numbers: UnsafeMutablePointer<Atomic<Int>>

  private enum Index {
    static var cycles: Int { @_noLocks get { 0 } }
    static var frames: Int { @_noLocks get { 1 } }
    static var nanoseconds: Int { @_noLocks get { 2 } }
    static var malformed: Int { @_noLocks get { 3 } }
    static var late: Int { @_noLocks get { 4 } }
    static var badCycles: Int { @_noLocks get { 5 } }
    static var begun: Int { @_noLocks get { 6 } }
    static var droppedOutput: Int { @_noLocks get { 7 } }
    static var count: Int { 8 }
  }

  /// Allocates the memory. The owner must call ``destroy()``.
  package init() {
    numbers = .allocate(capacity: Index.count)
    for i in 0..<Index.count { (numbers + i).initialize(to: Atomic(0)) }
  }

  package func destroy() { numbers.deallocate() }

  /// Counts the beginning of a cycle.
  @_noLocks package func begin() { increase(Index.begun, by: 1) }

  /// Counts the end of a cycle.
  ///
  /// - Parameter nanoseconds: The time spent rendering the cycle.
  @_noLocks package func add(nanoseconds: Int64) {
    increase(Index.cycles, by: 1)
    increase(Index.nanoseconds, by: Int(nanoseconds))
  }

  @_noLocks package func add(frames: Int) { increase(Index.frames, by: frames) }

  @_noLocks package func countBadCycle() { increase(Index.badCycles, by: 1) }

  @_noLocks package func set(malformed: Int, late: Int) {
    numbers[Index.malformed].store(malformed, ordering: .relaxed)
    numbers[Index.late].store(late, ordering: .relaxed)
  }

  @_noLocks package func set(droppedOutput: Int) {
    numbers[Index.droppedOutput].store(droppedOutput, ordering: .relaxed)
  }

  @_noLocks private func increase(_ index: Int, by amount: Int) {
    let value = numbers[index].load(ordering: .relaxed)
    numbers[index].store(value &+ amount, ordering: .relaxed)
  }

  package var cycles: Int { value(Index.cycles) }
  /// Whether a cycle is being rendered.
  package var isRendering: Bool { value(Index.begun) != cycles }
  package var frames: Int { value(Index.frames) }
  /// The time spent rendering.
  package var nanoseconds: Int { value(Index.nanoseconds) }
  /// Malformed messages and cycles.
  package var malformed: Int { value(Index.malformed) + value(Index.badCycles) }
  /// Events that arrived after their frames were rendered.
  package var late: Int { value(Index.late) }
  /// Events to the host that were dropped because there was no room.
  package var droppedOutput: Int { value(Index.droppedOutput) }

  /// Returns the time spent rendering as a fraction of the duration of the frames.
  package func load(sampleRate: Int) -> Double {
    let seconds = Double(frames) / Double(sampleRate)
    return seconds > 0 ? Double(nanoseconds) / 1e9 / seconds : 0
  }

  private func value(_ index: Int) -> Int { numbers[index].load(ordering: .relaxed) }
}
