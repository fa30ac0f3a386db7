import CRender

/// A procedure and its state, in a form that a render thread can call without reference counting.
///
/// `@unchecked Sendable`: only one thread at a time calls the procedure and uses the state.
public struct Renderer: @unchecked Sendable, BitwiseCopyable {
  /// A function that receives the state and a pointer to a ``RenderCycle``, and returns whether
  /// ``RenderUnit/performDeferredWork()`` should be called soon. It must be `@_noLocks`. A function type cannot express
  /// that, so pass a named function that is.
  public typealias Procedure =
    @convention(c) (_ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer) -> Bool

  public let procedure: Procedure
  public let state: UnsafeMutableRawPointer
  /// A function that a caller with spare time calls with the same arguments before ``procedure``. It returns whether
  /// everything that the cycle needs is ready. If not, it has recorded what ``RenderUnit/performDeferredWork()`` must
  /// prepare. `nil`: the unit is always ready.
  public let readiness: Procedure?

  public init(
    state: UnsafeMutableRawPointer, _ procedure: @escaping Procedure, readiness: Procedure? = nil
  ) {
    self.state = state
    self.procedure = procedure
    self.readiness = readiness
  }
}

extension UnsafeRawPointer {
  /// The cycle that a renderer's procedure received.
  public var renderCycle: RenderCycle {
    @_noLocks get { assumingMemoryBound(to: RenderCycle.self).pointee }
  }
}

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
