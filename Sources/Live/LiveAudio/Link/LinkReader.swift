package import CLink
import Synchronization

/// Reads the state of a Link session that another process writes.
///
/// Realtime: yes.
///
/// `@unchecked Sendable`: a state that was written during the copy is not used.
package struct LinkReader: @unchecked Sendable, BitwiseCopyable {
  private let memory: UnsafeMutablePointer<link_memory>

  /// - Parameter memory: Must outlive the reader.
  @_noLocks package init(_ memory: UnsafeMutablePointer<link_memory>) { self.memory = memory }

  /// The last state; `nil` if there is none yet, or if it was overwritten during the copy.
  package var state: link_state? {
    @_noLocks get {
      let number = posted.pointee.load(ordering: .acquiring)
      if number == 0 { return nil }
      let state = slot(number).pointee
      // The load below must not be executed before the copy.
      atomicMemoryFence(ordering: .acquiring)
      let written = posted.pointee.load(ordering: .relaxed) &- number
      return written < UInt32(LINK_SLOTS) - 1 ? state : nil
    }
  }

  /// Writes a state, as `portative-link` does.
  package func post(_ state: link_state) {
    let number = posted.pointee.load(ordering: .relaxed) &+ 1
    // A reader that finds parts of the new state must also find that the previous one was posted.
    atomicMemoryFence(ordering: .releasing)
    slot(number).pointee = state
    posted.pointee.store(number, ordering: .releasing)
  }

  @_noLocks private func slot(_ number: UInt32) -> UnsafeMutablePointer<link_state> {
    let slots = UnsafeMutableRawPointer(memory) + Int(LINK_SLOTS_OFFSET)
    return slots.assumingMemoryBound(to: link_state.self) + Int(number % UInt32(LINK_SLOTS))
  }

  private var posted: UnsafeMutablePointer<Atomic<UInt32>> {
    @_noLocks get {
      (UnsafeMutableRawPointer(memory) + 8).assumingMemoryBound(to: Atomic<UInt32>.self)
    }
  }
}
