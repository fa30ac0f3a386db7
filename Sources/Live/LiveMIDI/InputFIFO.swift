import RenderCore
import Threads

/// What is played from outside, on its way to a render thread: one thread writes, another reads.
///
/// Capacity is fixed, and a full FIFO refuses an event whole. It allocates when it is made, and its ends
/// must not outlive it.
///
/// `@unchecked Sendable`: each end belongs to one thread, and the words between them are atomic.
package final class InputFIFO: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<InputSlot>
  private let words: UnsafeMutablePointer<UInt32>

  package init() {
    slots = .allocate(capacity: InputSlot.capacity)
    slots.initialize(repeating: InputSlot(), count: InputSlot.capacity)
    // Each of the first two words in a cache line of its own.
    let count = 32 + SourceRelations.wordCount
    words = UnsafeMutableRawPointer.allocate(byteCount: 4 * count, alignment: 64)
      .bindMemory(to: UInt32.self, capacity: count)
    words.initialize(repeating: 0, count: count)
  }

  deinit {
    slots.deallocate()
    words.deallocate()
  }

  private var written: SharedWord { SharedWord(at: words) }
  private var read: SharedWord { SharedWord(at: words + 16) }
  /// Which sources may send what another sends as well. Written before the events that it matters to.
  var relations: SourceRelations { SourceRelations(words: words + 32) }

  /// The longest System Exclusive message that there can be room for, without F0 and F7.
  static var longestSysEx: Int { (InputSlot.capacity - 1) * InputSlot.size }

  /// Writes an event. Threads: one at a time.
  ///
  /// - Parameter time: When it was played, in nanoseconds of CLOCK_MONOTONIC.
  /// - Returns: `false` when there is no room; nothing has changed then.
  func write(_ content: LiveInput.Content, from source: LiveInput.Source, at time: Int64) -> Bool {
    var slot = InputSlot()
    slot.time = time
    slot.source = source.number
    var data: [UInt8] = []
    switch content {
    case .channel(let message):
      slot.bytes = (message.status, message.data1, message.data2)
    case .system(let message):
      slot.bytes = (message.status, message.data1, message.data2)
    case .sysEx(let bytes):
      slot.bytes.0 = 0xF0
      data = bytes
    }
    return write(slot, data)
  }

  private func write(_ slot: InputSlot, _ data: [UInt8]) -> Bool {
    let dataSlots = InputSlot.count(forBytes: data.count)
    let position = written.value
    guard Int(position &- read.value) + 1 + dataSlots <= InputSlot.capacity else { return false }
    var head = slot
    head.count = UInt16(data.count)
    slots[Int(position) & (InputSlot.capacity - 1)] = head
    data.withUnsafeBytes { bytes in
      for number in 0..<dataSlots {
        let index = (Int(position) + 1 + number) & (InputSlot.capacity - 1)
        let begin = number * InputSlot.size
        let part = bytes[begin..<min(begin + InputSlot.size, bytes.count)]
        UnsafeMutableRawBufferPointer(start: slots + index, count: InputSlot.size)
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      }
    }
    written.store(position &+ UInt32(1 + dataSlots))
    return true
  }

  /// The end for the render thread.
  package var reader: InputReader {
    InputReader(slots: slots, written: written, read: read, relations: relations)
  }
}

/// An event's place in the FIFO; the bytes of a System Exclusive message lie in the slots after it.
package struct InputSlot: BitwiseCopyable {
  package var time: Int64 = 0
  package var count: UInt16 = 0
  package var source: UInt8 = 0
  /// Status, which tells what it is, and data.
  package var bytes: (UInt8, UInt8, UInt8) = (0, 0, 0)

  /// Slots of a FIFO: a power of two. A keyboard plays as many events in seconds; a System Exclusive
  /// message takes one more for every 16 bytes.
  static var capacity: Int { @_noLocks get { 4096 } }
  static var size: Int { @_noLocks get { MemoryLayout<InputSlot>.stride } }

  @_noLocks static func count(forBytes count: Int) -> Int { (count + size - 1) / size }
}
