import CRender

extension Renderer {
  /// Renders one cycle. Realtime: yes.
  ///
  /// - Returns: Whether the unit wants to be tended.
  @_noLocks package func render(_ cycle: UnsafePointer<RenderCycle>) -> Bool {
    unit_render(procedure, state, cycle)
  }

  /// Asks whether all that a cycle needs is there. Realtime: yes.
  @_noLocks package func isReady(for cycle: UnsafePointer<RenderCycle>) -> Bool {
    guard let readiness else { return true }
    return unit_render(readiness, state, cycle)
  }
}
