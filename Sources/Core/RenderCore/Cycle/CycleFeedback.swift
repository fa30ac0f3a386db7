package import Synchronization

/// Reports of a unit to its caller about a cycle, besides audio and MIDI. Without a receiver they are discarded.
///
/// Realtime: yes. Valid during its cycle.
///
/// `@unchecked Sendable`: the memory behind it is atomic.
public struct CycleFeedback: @unchecked Sendable, BitwiseCopyable {
  private let lateNotes: UnsafeMutablePointer<Atomic<UInt32>>?
  private let progress: UnsafeMutablePointer<Atomic<UInt32>>?

  /// Makes a feedback without a receiver.
  @_noLocks public init() { (lateNotes, progress) = (nil, nil) }

  /// - Parameters:
  ///   - lateNotes: The counter of late notes, modulo 2³².
  ///   - progress: A counter that each call of ``advance()`` increases; `nil`: the caller does not need it.
  @_noLocks package init(
    lateNotes: UnsafeMutablePointer<Atomic<UInt32>>, progress: UnsafeMutablePointer<Atomic<UInt32>>?
  ) {
    self.lateNotes = lateNotes
    self.progress = progress
  }

  /// Counts notes of this cycle that did not start on their frames because the unit was not ready for that many notes.
  @_noLocks public func count(lateNotes count: Int) {
    guard count > 0, let lateNotes else { return }
    lateNotes.pointee.wrappingAdd(UInt32(truncatingIfNeeded: count), ordering: .relaxed)
  }

  /// Reports that the unit makes progress with the cycle.
  ///
  /// An offline host waits for a cycle as long as the unit makes progress. It gives up after a time without progress:
  /// ten seconds unless the user sets another limit.
  @_noLocks public func advance() {
    guard let progress else { return }
    progress.pointee.wrappingAdd(1, ordering: .relaxed)
  }
}
