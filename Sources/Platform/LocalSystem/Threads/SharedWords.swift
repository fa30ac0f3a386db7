/// Words that threads of this process share; initially 0.
///
/// Each word has a cache line of its own, so that threads that write different words do not delay each other.
///
/// Realtime: yes, except ``init(count:)``, which allocates, and ``destroy()``, which the owner must call.
///
/// `@unchecked Sendable`: all words are atomic.
package struct SharedWords: @unchecked Sendable, BitwiseCopyable {
  private let memory: UnsafeMutableRawPointer

  package init(count: Int) {
    memory = .allocate(byteCount: 64 * count, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 64 * count)
  }

  package func destroy() { memory.deallocate() }

  package subscript(index: Int) -> SharedWord {
    @_noLocks get { SharedWord(at: memory + 64 * index) }
  }
}
