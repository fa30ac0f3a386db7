import Synchronization

/// What a render thread counts, for other threads to read.
///
/// Realtime: yes. Written by one thread; each number is whole, but they may be of different cycles.
package struct RenderCounters: @unchecked Sendable, BitwiseCopyable {
  private let numbers: UnsafeMutablePointer<Atomic<Int>>

  private enum Index {
    static var cycles: Int { @_noLocks get { 0 } }
    static var frames: Int { @_noLocks get { 1 } }
    static var nanoseconds: Int { @_noLocks get { 2 } }
    static var malformed: Int { @_noLocks get { 3 } }
    static var belated: Int { @_noLocks get { 4 } }
    static var badCycles: Int { @_noLocks get { 5 } }
    static var begun: Int { @_noLocks get { 6 } }
    static var unsent: Int { @_noLocks get { 7 } }
    static var count: Int { 8 }
  }

  /// Allocates; ``destroy()`` must follow.
  package init() {
    numbers = .allocate(capacity: Index.count)
    for i in 0..<Index.count { (numbers + i).initialize(to: Atomic(0)) }
  }

  package func destroy() { numbers.deallocate() }

  /// A cycle begins.
  @_noLocks package func begin() { increase(Index.begun, by: 1) }

  /// A cycle ends.
  @_noLocks package func add(nanoseconds: Int64) {
    increase(Index.cycles, by: 1)
    increase(Index.nanoseconds, by: Int(nanoseconds))
  }

  @_noLocks package func add(frames: Int) { increase(Index.frames, by: frames) }

  @_noLocks package func countBadCycle() { increase(Index.badCycles, by: 1) }

  @_noLocks package func set(malformed: Int, belated: Int) {
    numbers[Index.malformed].store(malformed, ordering: .relaxed)
    numbers[Index.belated].store(belated, ordering: .relaxed)
  }

  @_noLocks package func set(unsent: Int) {
    numbers[Index.unsent].store(unsent, ordering: .relaxed)
  }

  @_noLocks private func increase(_ index: Int, by amount: Int) {
    let value = numbers[index].load(ordering: .relaxed)
    numbers[index].store(value &+ amount, ordering: .relaxed)
  }

  package var cycles: Int { value(Index.cycles) }
  /// Whether a cycle has begun that has not ended.
  package var isRendering: Bool { value(Index.begun) != cycles }
  package var frames: Int { value(Index.frames) }
  /// Time spent rendering.
  package var nanoseconds: Int { value(Index.nanoseconds) }
  /// Messages that were no messages, and cycles that were no cycles.
  package var malformed: Int { value(Index.malformed) + value(Index.badCycles) }
  package var belated: Int { value(Index.belated) }
  /// Events for the host that found no room.
  package var unsent: Int { value(Index.unsent) }

  /// Of the time that the cycles last, the part that rendering took.
  package func load(sampleRate: Int) -> Double {
    let seconds = Double(frames) / Double(sampleRate)
    return seconds > 0 ? Double(nanoseconds) / 1e9 / seconds : 0
  }

  private func value(_ index: Int) -> Int { numbers[index].load(ordering: .relaxed) }
}
