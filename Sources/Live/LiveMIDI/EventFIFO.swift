import LocalSystem
package import RenderCore

/// A FIFO of events from one thread to another. Either may be a render thread.
///
/// Its capacity is fixed. A full FIFO refuses an event as a whole. Only the initializer allocates. The writer and the
/// reader must not outlive the FIFO.
package final class EventFIFO: Sendable {
  /// An event in the FIFO.
  package struct Event: BitwiseCopyable, Sendable {
    /// In the unit of the FIFO's user: nanoseconds or frames.
    package let time: Int64
    /// The number of the source or of the take.
    package let number: UInt32
    package let content: MIDIEvent.Content

    /// In the number of an event of an ``InputFIFO``: the source has ended. The event has no other content.
    package static var end: UInt32 { @_noLocks get { 1 << 16 } }

    @_noLocks package init(time: Int64, number: UInt32, content: MIDIEvent.Content) {
      self.time = time
      self.number = number
      self.content = content
    }
  }

  private let slots: EventSlots
  /// One thread at a time may use it.
  package let writer: Writer
  /// One thread at a time may use it.
  package let reader: Reader

  /// - Parameter capacity: The number of slots, a power of two. An event uses one slot, and a System Exclusive message
  ///   one more for every 24 bytes.
  package init(capacity: Int) {
    slots = EventSlots(capacity: capacity)
    writer = Writer(slots: slots)
    reader = Reader(slots: slots)
  }

  deinit { slots.destroy() }

  /// Realtime: yes.
  package struct Writer: BitwiseCopyable, Sendable {
    fileprivate let slots: EventSlots

    /// The number of free slots.
    package var room: Int { @_noLocks get { slots.ring.room } }

    /// Whether at least half of the slots are in use.
    package var isHalfFull: Bool { @_noLocks get { 2 * slots.ring.room <= slots.ring.capacity } }

    /// Writes an event.
    ///
    /// - Parameter sysEx: The bytes that a System Exclusive message refers to, as in ``MIDICycle/sysEx``.
    /// - Returns: `false` if there is no room; nothing has changed then.
    @_noLocks package func write(
      _ event: Event, sysEx: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0)
    ) -> Bool {
      let ring = slots.ring
      let used = EventSlots.count(for: event)
      guard used <= ring.room else { return false }
      let position = ring.written.value
      slots.memory[ring.index(position)] = event
      if case .sysEx(let start, let count) = event.content, count > 0 {
        let bytes = UnsafeBufferPointer(rebasing: sysEx[Int(start)..<Int(start) + Int(count)])
        let source = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
        let (target, length) = slots.data(of: position, bytes.count)
        target.copyMemory(from: source, byteCount: length)
        UnsafeMutableRawPointer(slots.memory).copyMemory(
          from: source + length, byteCount: bytes.count - length)
      }
      ring.written.store(position &+ UInt32(used))
      return true
    }
  }

  /// Realtime: yes, except ``next()``.
  package struct Reader: BitwiseCopyable, Sendable {
    fileprivate let slots: EventSlots

    /// The maximum number of events in the FIFO.
    package var capacity: Int { @_noLocks get { slots.ring.capacity } }

    /// The length of the longest System Exclusive message that fits, in bytes without F0 and F7.
    package var longestSysEx: Int {
      @_noLocks get { (capacity - 1) * MemoryLayout<Event>.stride }
    }

    /// The next event, which stays in the FIFO; `nil` if there is none.
    package var first: Event? {
      @_noLocks get {
        let ring = slots.ring
        return ring.count == 0 ? nil : slots.memory[ring.index(ring.read.value)]
      }
    }

    /// Copies the bytes of the next event, which must be a System Exclusive message of `count` bytes.
    @_noLocks package func copySysEx(_ count: Int, to target: UnsafeMutablePointer<UInt8>) {
      let (source, length) = slots.data(of: slots.ring.read.value, count)
      UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: length)
      UnsafeMutableRawPointer(target + length).copyMemory(
        from: slots.memory, byteCount: count - length)
    }

    /// Removes the next event.
    ///
    /// - Precondition: ``first`` is not `nil`.
    @_noLocks package func removeFirst() {
      let position = slots.ring.read.value
      let used = EventSlots.count(for: slots.memory[slots.ring.index(position)])
      slots.ring.read.store(position &+ UInt32(used))
    }

    /// Removes and returns the next event and its System Exclusive bytes; `nil` if there is none.
    package func next() -> (event: Event, sysEx: [UInt8])? {
      guard let event = first else { return nil }
      defer { removeFirst() }
      guard case .sysEx(_, let count) = event.content, count > 0 else { return (event, []) }
      let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
        copySysEx(Int(count), to: buffer.baseAddress.unsafelyUnwrapped)
        initialized = Int(count)
      }
      return (event, bytes)
    }
  }
}

/// The memory of an ``EventFIFO``. The bytes of a System Exclusive message are in the slots after the event's.
///
/// `@unchecked Sendable`: a slot belongs to one thread at a time, as ``RingPositions`` says.
private struct EventSlots: @unchecked Sendable, BitwiseCopyable {
  let memory: UnsafeMutablePointer<EventFIFO.Event>
  let ring: RingPositions

  init(capacity: Int) {
    ring = RingPositions(capacity: capacity)
    memory = .allocate(capacity: capacity)
    let none = EventFIFO.Event(time: 0, number: 0, content: .sysEx(start: 0, count: 0))
    memory.initialize(repeating: none, count: capacity)
  }

  func destroy() {
    memory.deallocate()
    ring.destroy()
  }

  /// Returns the number of slots that an event uses.
  @_noLocks static func count(for event: EventFIFO.Event) -> Int {
    guard case .sysEx(_, let count) = event.content else { return 1 }
    let size = MemoryLayout<EventFIFO.Event>.stride
    return 1 + (Int(count) + size - 1) / size
  }

  /// Returns where the `count` data bytes of the event at a position begin, and how many of them are there; the others
  /// are at the beginning of the memory.
  @_noLocks func data(of position: UInt32, _ count: Int) -> (UnsafeMutableRawPointer, Int) {
    let index = ring.index(position &+ 1)
    let end = ring.capacity - index
    return (
      UnsafeMutableRawPointer(memory + index),
      min(count, end * MemoryLayout<EventFIFO.Event>.stride)
    )
  }
}

/// The maximum number of events of a host in one cycle. Further events are dropped.
package struct EventCapacity: BitwiseCopyable, Sendable {
  let events: Int
  /// The maximum number of bytes of System Exclusive messages.
  let bytes: Int

  package init(events: Int, bytes: Int) {
    self.events = events
    self.bytes = bytes
  }

  /// The capacity without a host.
  package static var none: Self { Self(events: 0, bytes: 0) }
}
