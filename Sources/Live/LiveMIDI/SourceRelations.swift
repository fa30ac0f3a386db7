import Synchronization

/// The sources of a ``LiveInput`` that have an origin in common, so that the same note-on may come from both: for
/// example a keyboard and a program that forwards its events. The host, source 0, may forward the events of any source.
///
/// Realtime: yes, except ``init()``, which allocates, and ``destroy()``, which the owner must call. Threads: one writes,
/// another reads.
///
/// `@unchecked Sendable`: the memory is atomic.
struct SourceRelations: @unchecked Sendable, BitwiseCopyable {
  private let words: UnsafeMutablePointer<Atomic<UInt64>>

  init() {
    words = .allocate(capacity: 64)
    for source in 0..<64 { (words + source).initialize(to: Atomic(0)) }
  }

  func destroy() { words.deallocate() }

  /// One bit for each source with an origin in common with `source`.
  subscript(source: UInt8) -> UInt64 {
    @_noLocks get {
      source == 0 ? .max : words[Int(source & 63)].load(ordering: .acquiring) | 1
    }
  }

  func set(_ source: UInt8, to related: UInt64) {
    words[Int(source & 63)].store(related, ordering: .releasing)
  }
}
