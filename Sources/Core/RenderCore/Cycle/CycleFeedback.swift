package import Synchronization

/// What a unit tells its caller about a cycle besides audio and MIDI. One that nobody listens to does nothing.
///
/// Realtime: yes. Valid for the cycle that it came with.
public struct CycleFeedback: @unchecked Sendable, BitwiseCopyable {
  private let lateNotes: UnsafeMutablePointer<Atomic<UInt32>>?
  private let progress: UnsafeMutablePointer<Atomic<UInt32>>?

  /// Makes one that nobody listens to.
  @_noLocks public init() { (lateNotes, progress) = (nil, nil) }

  /// - Parameters:
  ///   - lateNotes: Where late notes are added up, modulo 2³².
  ///   - progress: What changes with each step.
  @_noLocks package init(
    lateNotes: UnsafeMutablePointer<Atomic<UInt32>>, progress: UnsafeMutablePointer<Atomic<UInt32>>?
  ) {
    self.lateNotes = lateNotes
    self.progress = progress
  }

  /// Counts notes of this cycle that did not begin on their frame because the unit was not ready for so many.
  @_noLocks public func count(lateNotes count: Int) {
    guard count > 0, let lateNotes else { return }
    lateNotes.pointee.wrappingAdd(UInt32(truncatingIfNeeded: count), ordering: .relaxed)
  }

  /// Says that the unit gets on with the cycle. An offline host waits for one cycle as long as a unit does, and
  /// gives up on one that has not for some time: ten seconds, unless its user says otherwise.
  @_noLocks public func advance() {
    guard let progress else { return }
    progress.pointee.wrappingAdd(1, ordering: .relaxed)
  }
}
