package import RenderCore
import Synchronization
import Threads

/// A unit that needs something made for each note before the cycle in which the note begins; a note for which
/// nothing is there is late. On the left a pulse for each note that is in time.
package final class SupplyUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<State>
  private let words: UnsafeMutablePointer<UInt32>
  private let beforeTending: @Sendable () -> Void

  struct State {
    /// How many there are, and how many there should be.
    let made: SharedWord
    let wanted: SharedWord
    var used: UInt32 = 0
  }

  /// - Parameter beforeTending: Called before something is made.
  package init(beforeTending: @escaping @Sendable () -> Void) {
    self.beforeTending = beforeTending
    words = .allocate(capacity: 2)
    words.initialize(repeating: 0, count: 2)
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(made: SharedWord(at: words), wanted: SharedWord(at: words + 1)))
  }

  deinit {
    state.deallocate()
    words.deallocate()
  }

  package var renderer: Renderer {
    Renderer(
      state: UnsafeMutableRawPointer(state), renderSupplied, readiness: isSupplied)
  }

  package func performDeferredWork() {
    let (made, wanted) = (SharedWord(at: words), SharedWord(at: words + 1).value)
    if made.value == wanted { return }
    beforeTending()
    made.store(wanted)
  }
}

package struct SupplySource: RenderUnitSource {
  private let beforeTending: @Sendable () -> Void

  package init(beforeTending: @escaping @Sendable () -> Void = {}) {
    self.beforeTending = beforeTending
  }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    SupplyUnit(beforeTending: beforeTending)
  }
}

extension SupplyUnit.State {
  @_noLocks fileprivate func isReady(_ cycle: MIDICycle) -> Bool {
    var notes: UInt32 = 0
    for event in cycle.events {
      if case .channel(let message) = event.content, message.startsNote { notes += 1 }
    }
    if made.value &- used >= notes { return true }
    wanted.store(used &+ notes)
    return false
  }

  @_noLocks fileprivate mutating func render(_ cycle: RenderCycle) -> Bool {
    for channel in 0..<2 { cycle.output[channel].update(repeating: 0, count: cycle.frames) }
    var late = 0
    for event in cycle.events {
      guard case .channel(let message) = event.content, message.startsNote else { continue }
      if made.value == used {
        late += 1
      } else {
        used &+= 1
        cycle.output[0][Int(event.offset)] = 1
      }
    }
    cycle.feedback.count(lateNotes: late)
    return false
  }
}

@_noLocks @c private func isSupplied(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: SupplyUnit.State.self).pointee.isReady(cycle.renderCycle.midi)
}

@_noLocks @c private func renderSupplied(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: SupplyUnit.State.self).pointee.render(cycle.renderCycle)
}
