import Synchronization

/// A flag that is raised once and can be read from several threads.
package final class Flag: Sendable {
  private let value = Atomic(false)
  package init() {}
  package func raise() { value.store(true, ordering: .releasing) }
  package var isRaised: Bool { value.load(ordering: .acquiring) }
}
