import Synchronization

/// A unit that another one can replace while it renders. The new one renders from the next cycle on; what sounds fades
/// within 512 frames, or is cut off.
///
/// `@unchecked Sendable`: the state belongs to the render thread; `next` and `finished` are atomic.
package final class ReplaceableUnit: UnitWrapper, @unchecked Sendable {
  private let units: Mutex<Units>
  private let memory = RenderMemory()
  private let next: UnsafeMutablePointer<ReplacedRenderer.Next>
  /// The number of units that the render thread no longer uses.
  private let finished: UnsafeMutablePointer<Atomic<Int>>
  private let state: UnsafeMutablePointer<ReplacedRenderer>

  private struct Units {
    var current: PlayedUnit
    /// The earlier units that the render thread may still use, in their order.
    var retired: [PlayedUnit] = []
    /// The number of units that were removed from ``retired``.
    var released = 0
  }

  /// - Parameters:
  ///   - first: The unit to render first.
  ///   - format: Its format, and that of all units that replace it.
  ///   - isOffline: Whether the caller prepares each cycle.
  package init(_ first: any RenderUnit, _ format: Format, isOffline: Bool) {
    let first = PlayedUnit(first)
    next = memory.make(ReplacedRenderer.Next(nil))
    finished = memory.make(Atomic(0))
    state = memory.make(
      ReplacedRenderer(
        first.unit.renderer, next: next, finished: finished, format, isOffline: isOffline, memory))
    units = Mutex(Units(current: first))
  }

  /// The unit that renders from the next cycle on.
  package var wrapped: any RenderUnit { units.withLock { $0.current.unit } }

  /// Gives a new unit the parameters of the current one, and replaces it. A parameter change that acts meanwhile may be
  /// lost.
  ///
  /// - Parameters:
  ///   - new: A unit with the same parameters, which has its state.
  ///   - fades: Whether what sounds fades.
  package func replace(with new: any RenderUnit, fades: Bool = true) throws {
    if let values = wrapped.parameters?.all { try new.parameters?.set(values) }
    let played = PlayedUnit(new, fades: fades)
    let unused: PlayedUnit? = units.withLock { units in
      let old = units.current
      units.current = played
      // The render thread has not begun to use the old unit if its renderer is still there.
      let waiting = next.pointee.exchange(played.successor, ordering: .acquiringAndReleasing)
      if waiting != nil { return old }
      units.retired.append(old)
      return nil
    }
    // Released without the lock, because the render thread of an offline host may wait for it.
    withExtendedLifetime(unused) {}
  }

  package var renderer: Renderer {
    Renderer(
      state: UnsafeMutableRawPointer(state), renderReplaced, readiness: isReplacedReady)
  }

  package func performDeferredWork() {
    let (unit, ended) = units.withLock { units in
      let count = finished.pointee.load(ordering: .acquiring) - units.released
      let ended = units.retired.prefix(count)
      units.retired.removeFirst(count)
      units.released += count
      return (units.current.unit, Array(ended))
    }
    withExtendedLifetime(ended) {}
    unit.performDeferredWork()
  }

  package func prepare(for cycle: MIDICycle) {
    let unit = units.withLock { units in
      state.pointee.useNext()
      return units.current.unit
    }
    unit.prepare(for: cycle)
  }
}

/// A unit that is or was rendered, with the memory through which the render thread finds it.
private final class PlayedUnit: Sendable {
  let unit: any RenderUnit
  nonisolated(unsafe) let successor: UnsafeMutablePointer<ReplacedRenderer.Successor>

  /// - Parameter fades: Whether what the unit before sounds fades.
  init(_ unit: any RenderUnit, fades: Bool = true) {
    self.unit = unit
    successor = .allocate(capacity: 1)
    successor.initialize(
      to: ReplacedRenderer.Successor(renderer: unit.renderer, fades: fades))
  }

  deinit { successor.deallocate() }
}

@_noLocks private func renderReplaced(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ReplacedRenderer.self).pointee
    .render(cycle.assumingMemoryBound(to: RenderCycle.self))
}

@_noLocks private func isReplacedReady(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ReplacedRenderer.self).pointee
    .isReady(for: cycle.assumingMemoryBound(to: RenderCycle.self))
}
