import Synchronization

/// The counters of a render thread, which other threads can read.
///
/// Realtime: yes. One thread writes them. Each counter is read atomically, but two counters may be of different cycles.
///
/// `@unchecked Sendable`: the counters are atomic.
package struct RenderCounters: @unchecked Sendable, BitwiseCopyable {
  private let counters = UnsafeMutablePointer<Counters>.allocate(capacity: 1)

  private struct Counters: ~Copyable {
    let begun = Atomic(0)
    let cycles = Atomic(0)
    let badCycles = Atomic(0)
    let frames = Atomic(0)
    let nanoseconds = Atomic(0)
    let lateCycles = Atomic(0)
    let invalidSamples = Atomic(0)
    let malformed = Atomic(0)
    let late = Atomic(0)
    let droppedOutput = Atomic(0)
  }

  /// Allocates the memory. The owner must call ``destroy()``.
  package init() { counters.initialize(to: Counters()) }

  package func destroy() { counters.deallocate() }

  /// Counts the beginning of a cycle.
  @_noLocks package func begin() { increase(counters.pointee.begun, by: 1) }

  /// Counts the end of a cycle.
  ///
  /// - Parameters:
  ///   - nanoseconds: The time spent rendering the cycle.
  ///   - isLate: Whether its audio came too late to be heard.
  @_noLocks package func add(nanoseconds: Int64, isLate: Bool) {
    increase(counters.pointee.cycles, by: 1)
    if isLate { increase(counters.pointee.lateCycles, by: 1) }
    increase(counters.pointee.nanoseconds, by: Int(nanoseconds))
  }

  @_noLocks package func add(frames: Int) { increase(counters.pointee.frames, by: frames) }

  @_noLocks package func add(invalidSamples: Int) {
    increase(counters.pointee.invalidSamples, by: invalidSamples)
  }

  @_noLocks package func countBadCycle() { increase(counters.pointee.badCycles, by: 1) }

  @_noLocks package func set(malformed: Int, late: Int) {
    counters.pointee.malformed.store(malformed, ordering: .relaxed)
    counters.pointee.late.store(late, ordering: .relaxed)
  }

  @_noLocks package func set(droppedOutput: Int) {
    counters.pointee.droppedOutput.store(droppedOutput, ordering: .relaxed)
  }

  @_noLocks private func increase(_ counter: borrowing Atomic<Int>, by amount: Int) {
    counter.store(counter.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  package var cycles: Int { counters.pointee.cycles.load(ordering: .relaxed) }
  /// Whether a cycle is being rendered.
  package var isRendering: Bool { counters.pointee.begun.load(ordering: .relaxed) != cycles }
  package var frames: Int { counters.pointee.frames.load(ordering: .relaxed) }
  /// The time spent rendering.
  package var nanoseconds: Int { counters.pointee.nanoseconds.load(ordering: .relaxed) }
  package var lateCycles: Int { counters.pointee.lateCycles.load(ordering: .relaxed) }
  /// The infinite and NaN samples of the unit.
  package var invalidSamples: Int { counters.pointee.invalidSamples.load(ordering: .relaxed) }
  /// Malformed messages and cycles.
  package var malformed: Int {
    counters.pointee.malformed.load(ordering: .relaxed)
      + counters.pointee.badCycles.load(ordering: .relaxed)
  }
  /// Events that arrived after their frames were rendered.
  package var late: Int { counters.pointee.late.load(ordering: .relaxed) }
  /// Events to the host that were dropped because there was no room.
  package var droppedOutput: Int { counters.pointee.droppedOutput.load(ordering: .relaxed) }

  /// Returns the time spent rendering as a fraction of the duration of the frames.
  package func load(sampleRate: Int) -> Double {
    let seconds = Double(frames) / Double(sampleRate)
    return seconds > 0 ? Double(nanoseconds) / 1e9 / seconds : 0
  }
}
