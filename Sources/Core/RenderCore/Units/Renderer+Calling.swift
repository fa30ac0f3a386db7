import CRender

extension Renderer {
  /// Renders one cycle. Realtime: yes.
  ///
  /// - Returns: Whether ``RenderUnit/performDeferredWork()`` should be called soon.
  @_noLocks package func render(_ cycle: UnsafePointer<RenderCycle>) -> Bool {
    unit_render(procedure, state, cycle)
  }

  /// Returns whether everything that a cycle needs is ready. Realtime: yes.
  @_noLocks package func isReady(for cycle: UnsafePointer<RenderCycle>) -> Bool {
    guard let readiness else { return true }
    return unit_render(readiness, state, cycle)
  }
}
