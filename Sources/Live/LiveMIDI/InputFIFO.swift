import RenderCore
import Threads

/// A FIFO that carries live events to a render thread: one thread writes, another reads.
///
/// Its capacity is fixed. A full FIFO refuses an event as a whole. Only the initializer allocates. The reader must not
/// outlive the FIFO.
///
/// `@unchecked Sendable`: each end belongs to one thread, and the words that they share are atomic.
package final class InputFIFO: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<InputSlot>
  private let atomics: UnsafeMutablePointer<UInt32>

  package init() {
    slots = .allocate(capacity: InputSlot.capacity)
    slots.initialize(repeating: InputSlot(), count: InputSlot.capacity)
    // The positions of the writer and the reader are in separate cache lines.
    let count = 32 + SourceRelations.wordCount
    atomics = UnsafeMutableRawPointer.allocate(byteCount: 4 * count, alignment: 64)
      .bindMemory(to: UInt32.self, capacity: count)
    atomics.initialize(repeating: 0, count: count)
  }

  deinit {
    slots.deallocate()
    atomics.deallocate()
  }

  private var written: SharedWord { SharedWord(at: atomics) }
  private var read: SharedWord { SharedWord(at: atomics + 16) }
  /// The sources with a common origin. The writer sets them before it writes the events that they affect.
  var relations: SourceRelations { SourceRelations(atomics: atomics + 32) }

  /// The length of the longest System Exclusive message that fits, in bytes without F0 and F7.
  static var longestSysEx: Int { (InputSlot.capacity - 1) * InputSlot.size }

  /// Writes an event. Threads: one at a time.
  ///
  /// - Parameters:
  ///   - content: The message.
  ///   - source: The source that sent it.
  ///   - time: The time at which it was played, in nanoseconds of CLOCK_MONOTONIC.
  /// - Returns: `false` if there is no room; nothing has changed then.
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

  /// The reader, for the render thread.
  package var reader: InputReader {
    InputReader(slots: slots, written: written, read: read, relations: relations)
  }
}

/// A slot of the FIFO, which holds an event. The bytes of a System Exclusive message are in the slots after it.
package struct InputSlot: BitwiseCopyable {
  package var time: Int64 = 0
  package var count: UInt16 = 0
  package var source: UInt8 = 0
  /// The status byte and two data bytes; the status is 0xF0 for System Exclusive.
  package var bytes: (UInt8, UInt8, UInt8) = (0, 0, 0)

  /// The number of slots in a FIFO, a power of two. A keyboard needs seconds to send that many events. A System
  /// Exclusive message uses one more slot for every 16 bytes.
  static var capacity: Int { @_noLocks get { 4096 } }
  static var size: Int { @_noLocks get { MemoryLayout<InputSlot>.stride } }

  @_noLocks static func count(forBytes count: Int) -> Int { (count + size - 1) / size }
}
