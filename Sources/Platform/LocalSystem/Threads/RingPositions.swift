/// The positions of one thread that writes the elements of a ring, and of another that reads them.
///
/// A position counts elements from 0, modulo 2³². An element belongs to the writer until ``written`` passes it, then to
/// the reader until ``read`` passes it.
///
/// Realtime: yes, except ``init(capacity:)``, which allocates, and ``destroy()``, which the owner must call.
package struct RingPositions: BitwiseCopyable, Sendable {
  /// The number of elements in the ring.
  package let capacity: Int
  private let words = SharedWords(count: 2)

  /// - Parameter capacity: A power of two.
  package init(capacity: Int) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a capacity is a power of two")
    self.capacity = capacity
  }

  package func destroy() { words.destroy() }

  /// The position of the next element to write. Only the writer changes it.
  package var written: SharedWord { @_noLocks get { words[0] } }

  /// The position of the next element to read. Only the reader changes it.
  package var read: SharedWord { @_noLocks get { words[1] } }

  /// The number of elements to read. For the reader it is a minimum, for the writer a maximum.
  package var count: Int { @_noLocks get { Int(written.value &- read.value) } }

  /// The number of elements that can be written. For the writer it is a minimum.
  package var room: Int { @_noLocks get { capacity - count } }

  /// Returns the index of a position in the ring's memory.
  @_noLocks package func index(_ position: UInt32) -> Int { Int(position) & (capacity - 1) }
}
