import Threads

/// The render thread's end of an ``InputFIFO``.
///
/// Realtime: yes. Must not outlive the FIFO.
package struct InputReader: @unchecked Sendable, BitwiseCopyable {
  private let slots: UnsafeMutablePointer<InputSlot>
  private let written: SharedWord
  private let read: SharedWord
  private let relations: SourceRelations
  private var position: UInt32

  init(
    slots: UnsafeMutablePointer<InputSlot>, written: SharedWord, read: SharedWord,
    relations: SourceRelations
  ) {
    self.slots = slots
    self.written = written
    self.read = read
    self.relations = relations
    position = read.value
  }

  /// The next event, which stays in the FIFO; `nil` if there is none.
  package var first: InputSlot? {
    @_noLocks get { written.value == position ? nil : slots[index(position)] }
  }

  /// Removes the next event.
  ///
  /// - Precondition: ``first`` is not `nil`.
  @_noLocks package mutating func removeFirst() {
    let count = Int(slots[index(position)].count)
    position &+= UInt32(1 + InputSlot.count(forBytes: count))
    read.store(position)
  }

  /// Copies the bytes of the next event, which must be a System Exclusive message.
  @_noLocks package func copySysEx(_ count: Int, to target: UnsafeMutablePointer<UInt8>) {
    var done = 0
    var slot = position &+ 1
    while done < count {
      let length = min(InputSlot.size, count - done)
      UnsafeMutableRawPointer(target + done).copyMemory(
        from: slots + index(slot), byteCount: length)
      done += length
      slot &+= 1
    }
  }

  /// Returns one bit for each source with an origin in common with `source`. The host has one with all sources.
  @_noLocks func related(to source: UInt8) -> UInt64 { relations[source] }

  @_noLocks private func index(_ position: UInt32) -> Int {
    Int(position) & (InputSlot.capacity - 1)
  }
}
