import Synchronization

/// A unit's state in entries of equal size, shared between the render thread and all other threads.
///
/// The render thread publishes its entries. Another thread can set pending entries, which the render thread applies at
/// the start of its next cycle. Each 32-bit word is read and written atomically, but a reader may see words of
/// different cycles.
///
/// `@unchecked Sendable`: every word is atomic.
package struct SharedState: @unchecked Sendable, BitwiseCopyable {
  /// The published entries, then the pending ones.
  private let words: UnsafeMutablePointer<Atomic<UInt32>>
  private let entryCount: Int
  private let wordsPerEntry: Int
  /// The number of times that pending entries were set, and the number of times they were applied.
  private let counts: UnsafeMutablePointer<Atomic<UInt32>>

  /// - Parameters:
  ///   - entries: The number of entries.
  ///   - bytes: The size of an entry, a multiple of 4.
  package init(entries: Int, bytes: Int, in memory: RenderMemory) {
    precondition(bytes.isMultiple(of: 4), "an entry must consist of words")
    entryCount = entries
    wordsPerEntry = bytes / 4
    words = memory.makeEach(2 * entries * wordsPerEntry) { _ in Atomic(0) }
    counts = memory.makeEach(2) { _ in Atomic(0) }
  }

  /// Publishes an entry. Realtime: yes. Threads: the render thread.
  @_noLocks package func publish(_ entry: UnsafeRawPointer, at index: Int) {
    store(entry, at: index)
  }

  /// Returns the number of the pending change; `nil` if there is none.
  ///
  /// ``acknowledge(_:)`` must be called once the change has been applied and published: other threads then never read
  /// the old entries again. Realtime: yes. Threads: the render thread.
  @_noLocks package func pendingChange() -> UInt32? {
    let count = counts[0].load(ordering: .acquiring)
    return count == counts[1].load(ordering: .relaxed) ? nil : count
  }

  /// Reads a pending entry. Realtime: yes. Threads: the render thread.
  @_noLocks package func readPending(_ index: Int, to entry: UnsafeMutableRawPointer) {
    load(entryCount + index, to: entry)
  }

  /// Marks a change as applied. Realtime: yes. Threads: the render thread.
  @_noLocks package func acknowledge(_ change: UInt32) {
    counts[1].store(change, ordering: .releasing)
  }

  /// Reads an entry: the pending one until it is applied. Threads: any.
  package func read(_ index: Int, to entry: UnsafeMutableRawPointer) {
    let applied = counts[1].load(ordering: .acquiring)
    let isPending = counts[0].load(ordering: .acquiring) != applied
    load(isPending ? entryCount + index : index, to: entry)
  }

  /// Sets all pending entries. Threads: one at a time.
  ///
  /// - Parameter entries: The entries without gaps.
  package func setPending(_ entries: UnsafeRawPointer) {
    for index in 0..<entryCount {
      store(entries + index * wordsPerEntry * 4, at: entryCount + index)
    }
    counts[0].wrappingAdd(1, ordering: .releasing)
  }

  @_noLocks private func store(_ entry: UnsafeRawPointer, at index: Int) {
    for i in 0..<wordsPerEntry {
      words[index * wordsPerEntry + i].store(
        entry.load(fromByteOffset: 4 * i, as: UInt32.self), ordering: .relaxed)
    }
  }

  @_noLocks private func load(_ index: Int, to entry: UnsafeMutableRawPointer) {
    for i in 0..<wordsPerEntry {
      entry.storeBytes(
        of: words[index * wordsPerEntry + i].load(ordering: .relaxed), toByteOffset: 4 * i,
        as: UInt32.self)
    }
  }
}
