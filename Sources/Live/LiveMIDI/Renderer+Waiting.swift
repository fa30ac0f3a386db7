package import LocalSystem
package import RenderCore

extension Renderer {
  /// Waits until the unit is ready for a cycle, so that the cycle's notes start on their frames.
  ///
  /// The caller has seen with ``isReady(for:)`` that it is not, because the wait ends the thread's realtime section and
  /// reads the clock.
  ///
  /// Realtime: no, although it is called on a render thread: it blocks.
  ///
  /// - Parameters:
  ///   - signal: Wakes the thread that performs the unit's deferred work.
  ///   - limit: The time of ``MonotonicClock`` at which the wait ends in any case.
  ///   - stopping: With it, the wait also ends as soon as it is not 0.
  @_noLocks package func waitUntilReady(
    for cycle: inout RenderCycle, _ signal: DeferredWorkSignal, until limit: Int64,
    unless stopping: SharedWord? = nil
  ) {
    RealtimeSection.end()
    while MonotonicClock.now < limit {
      if let stopping, stopping.value != 0 { break }
      let passes = signal.passCount
      if isReady(for: &cycle) { break }
      signal.wake()
      signal.waitForPass(after: passes, until: limit)
    }
    RealtimeSection.begin()
  }
}
