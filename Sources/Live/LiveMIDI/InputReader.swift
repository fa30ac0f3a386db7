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

  /// The next event, which stays; `nil` when there is none.
  package var first: InputSlot? {
    @_noLocks get { written.value == position ? nil : slots[index(position)] }
  }

  /// Takes the next event, which there has to be.
  @_noLocks package mutating func removeFirst() {
    let count = Int(slots[index(position)].count)
    position &+= UInt32(1 + InputSlot.count(forBytes: count))
    read.store(position)
  }

  /// Copies the bytes of the next event, a System Exclusive message.
  @_noLocks package func copySysEx(_ count: Int, to target: UnsafeMutablePointer<UInt8>) {
    var done = 0
    var place = position &+ 1
    while done < count {
      let length = min(InputSlot.size, count - done)
      UnsafeMutableRawPointer(target + done).copyMemory(
        from: slots + index(place), byteCount: length)
      done += length
      place &+= 1
    }
  }

  /// A bit for each source that has an origin in common with this one: the host has with all.
  @_noLocks func related(to source: UInt8) -> UInt64 { relations[source] }

  @_noLocks private func index(_ position: UInt32) -> Int {
    Int(position) & (InputSlot.capacity - 1)
  }
}
