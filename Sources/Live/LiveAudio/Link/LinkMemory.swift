package import CLink
import CLinux
import Glibc
package import LocalSystem

/// The memory into which `portative-link` writes the state of a Link session.
///
/// Threads: any.
///
/// `@unchecked Sendable`: the protocol of ``LinkReader`` makes all reads valid.
package final class LinkMemory: @unchecked Sendable {
  /// A descriptor of the memory, for the program.
  package let descriptor: CInt
  package let memory: UnsafeMutablePointer<link_memory>

  package init() throws(SystemError) {
    let size = MemoryLayout<link_memory>.size
    let descriptor = shared_memory_create("portative-link", size)
    if descriptor < 0 { throw SystemError(call: "memfd_create") }
    let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else {
      let error = SystemError(call: "mmap")
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    memory = mapped.assumingMemoryBound(to: link_memory.self)
  }

  deinit {
    munmap(memory, MemoryLayout<link_memory>.size)
    close(descriptor)
  }

  /// The last state of the session; `nil` if there is none yet.
  package var state: link_state? { LinkReader(memory).state }
}
