/// The events that are sent in one cycle, until the cycle is over and they go into a FIFO.
///
/// It accepts just what the FIFO has room for, so that nothing that it accepted is refused there. Room is
/// counted as there, in slots: one for each event, and for System Exclusive those that hold its bytes.
///
/// Realtime: yes, apart from making and destroying it.
package struct OutputEventBuffer: BitwiseCopyable {
  private var events: UnsafeMutablePointer<MIDIEvent>
  /// As many again, to sort with.
  private var spare: UnsafeMutablePointer<MIDIEvent>
  private var count = 0
  private var isInOrder = true
  private let sysEx: UnsafeMutablePointer<UInt8>
  private var sysExCount = 0
  private let slots: Int
  private let slotSize: Int
  private var room = 0
  private var frames = 1
  /// Events that found no room, since the beginning.
  package private(set) var refused = 0

  /// Allocates. ``destroy()`` must follow.
  ///
  /// - Parameters:
  ///   - slots: Those of the FIFO.
  ///   - slotSize: Bytes of System Exclusive in a slot.
  package init(slots: Int, slotSize: Int) {
    self.slots = slots
    self.slotSize = slotSize
    events = .allocate(capacity: slots)
    spare = .allocate(capacity: slots)
    sysEx = .allocate(capacity: slots * slotSize)
    // Written to, so that the render thread meets no page that is not there yet.
    let nothing = MIDIEvent(offset: 0, content: .sysEx(start: 0, count: 0))
    events.initialize(repeating: nothing, count: slots)
    spare.initialize(repeating: nothing, count: slots)
    sysEx.initialize(repeating: 0, count: slots * slotSize)
  }

  package func destroy() {
    events.deallocate()
    spare.deallocate()
    sysEx.deallocate()
  }

  /// Forgets what there is, and begins a cycle.
  ///
  /// - Parameters:
  ///   - frames: 1 or more.
  ///   - room: Slots that are free in the FIFO.
  @_noLocks package mutating func begin(frames: Int, room: Int) {
    self.frames = frames
    self.room = min(room, slots)
    count = 0
    sysExCount = 0
    isInOrder = true
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
    // Whole slots, for as such they are read.
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

  /// The cycle's events in order of their offsets, those of one offset as they were appended. The bytes of
  /// every System Exclusive message begin a slot of their own. Valid until ``begin(frames:room:)``.
  @_noLocks package mutating func inOrder() -> MIDICycle {
    if !isInOrder { sort() }
    return MIDICycle(
      frames: frames, events: UnsafeBufferPointer(start: events, count: count),
      sysEx: UnsafeBufferPointer(start: sysEx, count: sysExCount))
  }

  /// Merges ever longer runs: it neither allocates nor changes the order of what is equal.
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

  /// Merges two runs that follow each other into the spare events.
  @_noLocks private func merge(from begin: Int, length: Int) {
    let middle = min(begin + length, count)
    let end = min(middle + length, count)
    var (left, right) = (begin, middle)
    for place in begin..<end {
      if left < middle, right == end || events[left].offset <= events[right].offset {
        spare[place] = events[left]
        left += 1
      } else {
        spare[place] = events[right]
        right += 1
      }
    }
  }
}
