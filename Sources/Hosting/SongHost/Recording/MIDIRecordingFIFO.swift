import Threads

/// Passes recorded events from the render thread to a thread that may allocate.
///
/// Its capacity is fixed; a full FIFO refuses an event completely. It must outlive its writer.
///
/// `@unchecked Sendable`: each end belongs to one thread, and the shared words are atomic.
package final class MIDIRecordingFIFO: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<MIDIRecordingSlot>
  private let atomics: UnsafeMutablePointer<UInt32>
  private let capacity: Int

  /// - Parameter capacity: The number of events, a power of two. A System Exclusive message occupies an additional slot
  ///   for each 32 bytes or part thereof.
  package init(capacity: Int = 16_384) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a capacity is a power of two")
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: MIDIRecordingSlot(), count: capacity)
    // Each word has its own cache line.
    atomics = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 64)
      .bindMemory(to: UInt32.self, capacity: 32)
    atomics.initialize(repeating: 0, count: 32)
  }

  deinit {
    slots.deallocate()
    atomics.deallocate()
  }

  private var written: SharedWord { SharedWord(at: atomics) }
  private var read: SharedWord { SharedWord(at: atomics + 16) }

  /// The writer for the render thread. There may be only one.
  package var writer: MIDIRecordingWriter { writer(firstTake: 0) }

  /// Returns the writer, with takes numbered from `firstTake`.
  func writer(firstTake: UInt32) -> MIDIRecordingWriter {
    MIDIRecordingWriter(
      slots: slots, capacity: capacity, written: written, read: read, firstTake: firstTake)
  }

  /// Removes and returns the next event. Threads: one at a time.
  ///
  /// - Returns: `nil` if there is none.
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
