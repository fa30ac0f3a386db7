import LocalSystem
package import RenderCore
import Synchronization

/// A unit that needs a resource for each note, which must be created before the note's cycle.
///
/// A note without a resource counts as late. The left channel has a pulse for each note in time.
package final class SupplyUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<State>
  private let atomics: UnsafeMutablePointer<UInt32>
  private let beforeCreation: @Sendable () -> Void

  struct State {
    /// The number of resources created so far.
    let created: SharedWord
    /// The number of resources that should have been created.
    let requested: SharedWord
    var used: UInt32 = 0
  }

  /// - Parameter beforeCreation: Called before resources are created.
  package init(beforeCreation: @escaping @Sendable () -> Void) {
    self.beforeCreation = beforeCreation
    atomics = .allocate(capacity: 2)
    atomics.initialize(repeating: 0, count: 2)
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(created: SharedWord(at: atomics), requested: SharedWord(at: atomics + 1)))
  }

  deinit {
    state.deallocate()
    atomics.deallocate()
  }

  package var renderer: Renderer {
    Renderer(
      state: UnsafeMutableRawPointer(state), renderSupplied, readiness: isSupplied)
  }

  package func performDeferredWork() {
    let (created, requested) = (SharedWord(at: atomics), SharedWord(at: atomics + 1).value)
    if created.value == requested { return }
    beforeCreation()
    created.store(requested)
  }
}

package struct SupplySource: RenderUnitSource {
  private let beforeCreation: @Sendable () -> Void

  package init(beforeCreation: @escaping @Sendable () -> Void = {}) {
    self.beforeCreation = beforeCreation
  }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    SupplyUnit(beforeCreation: beforeCreation)
  }
}

extension SupplyUnit.State {
  @_noLocks fileprivate func isReady(_ cycle: MIDICycle) -> Bool {
    var notes: UInt32 = 0
    for event in cycle.events {
      if case .channel(let message) = event.content, message.startsNote { notes += 1 }
    }
    if created.value &- used >= notes { return true }
    requested.store(used &+ notes)
    return false
  }

  @_noLocks fileprivate mutating func render(_ cycle: RenderCycle) -> Bool {
    for channel in 0..<2 { cycle.output[channel].update(repeating: 0, count: cycle.frames) }
    var late = 0
    for event in cycle.events {
      guard case .channel(let message) = event.content, message.startsNote else { continue }
      if created.value == used {
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

@_noLocks private func isSupplied(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: SupplyUnit.State.self).pointee.isReady(cycle.renderCycle.midi)
}

@_noLocks private func renderSupplied(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: SupplyUnit.State.self).pointee.render(cycle.renderCycle)
}
