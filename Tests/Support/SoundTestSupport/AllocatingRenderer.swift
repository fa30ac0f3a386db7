import Glibc
package import RenderCore

extension Renderer {
  /// Does what no renderer may.
  package static var allocating: Renderer {
    Renderer(state: UnsafeMutableRawPointer(bitPattern: 16)!) { _, _ in
      free(malloc(1000))
      return false
    }
  }
}
