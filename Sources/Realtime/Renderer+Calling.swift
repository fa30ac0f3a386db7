import CRealtime
package import RenderCore

extension Renderer {
  /// Renders one cycle. Realtime: yes.
  ///
  /// - Returns: Whether the unit wants to be tended.
  @_noLocks package func render(_ cycle: UnsafePointer<RenderCycle>) -> Bool {
    unit_render(procedure, state, cycle)
  }
}
