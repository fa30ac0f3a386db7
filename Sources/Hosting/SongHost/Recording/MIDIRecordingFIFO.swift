import Threads

/// What is recorded, on its way from a render thread to one that may allocate.
///
/// Capacity is fixed, and a full FIFO refuses an event whole. It must outlive its writer.
///
/// `@unchecked Sendable`: each end belongs to one thread, and the words between them are atomic.
package final class MIDIRecordingFIFO: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<MIDIRecordingSlot>
  private let words: UnsafeMutablePointer<UInt32>
  private let capacity: Int

  /// - Parameter capacity: Events that it holds: a power of two. A System Exclusive message takes one more for
  ///   every 32 bytes or part of it.
  package init(capacity: Int = 16_384) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a capacity is a power of two")
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: MIDIRecordingSlot(), count: capacity)
    // Each word in a cache line of its own.
    words = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 64)
      .bindMemory(to: UInt32.self, capacity: 32)
    words.initialize(repeating: 0, count: 32)
  }

  deinit {
    slots.deallocate()
    words.deallocate()
  }

  private var written: SharedWord { SharedWord(at: words) }
  private var read: SharedWord { SharedWord(at: words + 16) }

  /// The end for the render thread. There may be one.
  package var writer: MIDIRecordingWriter { writer(firstTake: 0) }

  /// The same, whose takes are numbered from another one on.
  func writer(firstTake: UInt32) -> MIDIRecordingWriter {
    MIDIRecordingWriter(
      slots: slots, capacity: capacity, written: written, read: read, firstTake: firstTake)
  }

  /// Takes out the next event. Threads: one at a time.
  ///
  /// - Returns: `nil` when there is none.
  func next() -> (slot: MIDIRecordingSlot, sysEx: [UInt8])? {
    let position = read.value
    guard position != written.value else { return nil }
    let head = slots[Int(position) & (capacity - 1)]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(head.count))
    let dataSlots = MIDIRecordingSlot.count(forBytes: Int(head.count))
    for number in 0..<dataSlots {
      let index = (Int(position) + 1 + number) & (capacity - 1)
      let part = min(MIDIRecordingSlot.size, Int(head.count) - number * MIDIRecordingSlot.size)
      bytes += UnsafeRawBufferPointer(start: slots + index, count: part)
    }
    read.store(position &+ UInt32(1 + dataSlots))
    return (head, bytes)
  }
}
