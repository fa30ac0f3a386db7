/// A buffer for the events that a unit sends in one cycle, until they are written to a FIFO after the cycle.
///
/// The buffer accepts only as much as the FIFO has room for, so that the FIFO never refuses an accepted event. Room is
/// counted in slots of the FIFO: one for each event, and for System Exclusive as many more as its bytes need.
///
/// Realtime: yes, except creation.
package struct OutputEventBuffer: BitwiseCopyable {
  private var events: UnsafeMutablePointer<MIDIEvent>
  /// A second array of the same size, for sorting.
  private var spare: UnsafeMutablePointer<MIDIEvent>
  private(set) var count = 0
  private var isInOrder = true
  private let sysEx: UnsafeMutablePointer<UInt8>
  private var sysExCount = 0
  private let slots: Int
  private let slotSize: Int
  private var room = 0
  private var frames = 1
  /// The total number of events that were refused because there was no room.
  package private(set) var refused = 0

  /// - Parameters:
  ///   - slots: The number of slots in the FIFO.
  ///   - slotSize: The number of System Exclusive bytes in a slot.
  ///   - memory: Keeps the memory of the events.
  package init(slots: Int, slotSize: Int, in memory: RenderMemory) {
    self.slots = slots
    self.slotSize = slotSize
    let nothing = MIDIEvent(offset: 0, content: .sysEx(start: 0, count: 0))
    events = memory.make(slots, of: nothing)
    spare = memory.make(slots, of: nothing)
    sysEx = memory.make(slots * slotSize, of: 0)
  }

  /// Clears the buffer and begins a cycle.
  ///
  /// - Parameters:
  ///   - frames: The length of the cycle: 1 or more.
  ///   - room: The number of free slots in the FIFO.
  @_noLocks package mutating func begin(frames: Int, room: Int) {
    self.frames = frames
    self.room = min(room, slots)
    count = 0
    sysExCount = 0
    isInOrder = true
  }

  /// Updates the state of a source from the events of the cycle, except the first ones, in the order in which they were
  /// appended.
  @_noLocks func follow(into sent: inout SourceState, after first: Int) {
    for index in min(first, count)..<count {
      switch events[index].content {
      case .channel(let message): sent.follow(message)
      case .sysEx(let start, let length):
        sent.follow(sysEx: UnsafeBufferPointer(start: sysEx + Int(start), count: Int(length)))
      case .system: break
      }
    }
  }

  @_noLocks mutating func append(_ content: MIDIEvent.Content, at offset: Int) -> Bool {
    append(content, slots: 1, at: offset)
  }

  @_noLocks mutating func append(sysEx bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    var all: UInt8 = 0
    for i in 0..<bytes.count { all |= bytes[i] }
    if all >= 0x80 { return false }
    let needed = (bytes.count + slotSize - 1) / slotSize
    let content = MIDIEvent.Content.sysEx(
      start: UInt32(sysExCount), count: UInt32(truncatingIfNeeded: bytes.count))
    if !append(content, slots: 1 + needed, at: offset) { return false }
    if let source = bytes.baseAddress {
      UnsafeMutableRawPointer(sysEx + sysExCount).copyMemory(
        from: source, byteCount: bytes.count)
    }
    // Whole slots, because the FIFO reads whole slots.
    sysExCount += needed * slotSize
    return true
  }

  @_noLocks private mutating func append(
    _ content: MIDIEvent.Content, slots needed: Int, at offset: Int
  ) -> Bool {
    if needed > room {
      refused += 1
      return false
    }
    room -= needed
    let offset = UInt32(max(0, min(offset, frames - 1)))
    if count > 0, events[count - 1].offset > offset { isInOrder = false }
    events[count] = MIDIEvent(offset: offset, content: content)
    count += 1
    return true
  }

  /// Returns the cycle's events in the order of their offsets; events with the same offset are in the order in which
  /// they were appended. The bytes of each System Exclusive message start at a multiple of the slot size. Valid until
  /// ``begin(frames:room:)``.
  @_noLocks package mutating func inOrder() -> MIDICycle {
    if !isInOrder { sort() }
    return MIDICycle(
      frames: frames, events: UnsafeBufferPointer(start: events, count: count),
      sysEx: UnsafeBufferPointer(start: sysEx, count: sysExCount))
  }

  /// Sorts the events by a bottom-up merge sort, which is stable and does not allocate.
  @_noLocks private mutating func sort() {
    var length = 1
    while length < count {
      var begin = 0
      while begin < count {
        merge(from: begin, length: length)
        begin += 2 * length
      }
      (events, spare) = (spare, events)
      length *= 2
    }
    isInOrder = true
  }

  /// Merges two adjacent runs into ``spare``.
  @_noLocks private func merge(from begin: Int, length: Int) {
    let middle = min(begin + length, count)
    let end = min(middle + length, count)
    var (left, right) = (begin, middle)
    for index in begin..<end {
      if left < middle, right == end || events[left].offset <= events[right].offset {
        spare[index] = events[left]
        left += 1
      } else {
        spare[index] = events[right]
        right += 1
      }
    }
  }
}
