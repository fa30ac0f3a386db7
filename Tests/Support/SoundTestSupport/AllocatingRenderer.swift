import Glibc
package import RenderCore

extension Renderer {
  /// A renderer that violates the realtime rules: it allocates memory.
  package static var allocating: Renderer {
    Renderer(state: UnsafeMutableRawPointer(bitPattern: 16)!) { _, _ in
      allocate()
      return false
    }
  }
}

/// The optimizer would remove the allocation.
@_optimize(none) private func allocate() { free(malloc(1000)) }
