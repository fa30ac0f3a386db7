import CSegment
package import RenderCore
import Synchronization
import Threads

/// The end of an event FIFO where events come out: reads a cycle's events into memory of its own. Of the one
/// to the node, it is the node's; of the one to the host, the host's.
///
/// Whatever the other side has written into the shared memory, the list that comes out is in order, within
/// the cycle, of well-formed messages; what is not is dropped and counted.
///
/// Realtime: yes. Threads: the one that renders.
package struct EventReader: @unchecked Sendable {
  private let slots: UnsafeMutableRawPointer
  private let written: SharedWord
  private let read: SharedWord
  var position: UInt32 = 0
  private let events: UnsafeMutablePointer<MIDIEvent>
  private var eventCount = 0
  private let sysEx: UnsafeMutablePointer<UInt8>
  private var sysExCount = 0
  private let changes: UnsafeMutablePointer<ParameterChange>
  private var changeCount = 0
  /// That of the event taken last.
  private var lastOffset: UInt32 = 0

  /// Messages that were no messages.
  package private(set) var malformed = 0
  /// Events that came for a cycle that was missed, and acted at the beginning of the next.
  package private(set) var belated = 0

  /// Allocates. ``destroy()`` must follow.
  package init(_ segment: Segment, _ direction: EventDirection) {
    slots = segment.slots(direction)
    written = segment.written(direction)
    read = segment.read(direction)
    events = .allocate(capacity: SegmentLayout.eventSlots)
    sysEx = .allocate(capacity: SegmentLayout.eventSlots * SegmentLayout.slotSize)
    // Written to, so that the render thread meets no page that is not there yet.
    let nothing = MIDIEvent(offset: 0, content: .sysEx(start: 0, count: 0))
    events.initialize(repeating: nothing, count: SegmentLayout.eventSlots)
    sysEx.initialize(repeating: 0, count: SegmentLayout.eventSlots * SegmentLayout.slotSize)
    let mostChanges = SegmentLayout.eventSlots / SegmentLayout.slotsOfParameter
    changes = .allocate(capacity: mostChanges)
    changes.initialize(
      repeating: ParameterChange(offset: 0, index: 0, value: 0), count: mostChanges)
  }

  package func destroy() {
    events.deallocate()
    sysEx.deallocate()
    changes.deallocate()
  }

  /// Takes everything out of the FIFO.
  ///
  /// - Parameters:
  ///   - begin: The cycle's first frame in the host's stream.
  ///   - frames: 1 or more.
  /// - Returns: The cycle, valid until the next call.
  @_noLocks package mutating func next(from begin: Int64, frames: Int) -> MIDICycle {
    eventCount = 0
    sysExCount = 0
    changeCount = 0
    lastOffset = 0
    let end = written.value
    if end != position { take(until: end, from: begin, frames: frames) }
    return MIDICycle(
      frames: frames,
      events: UnsafeBufferPointer(start: events, count: eventCount),
      sysEx: UnsafeBufferPointer(start: sysEx, count: sysExCount))
  }

  /// The parameters' changes among what ``next(from:frames:)`` took, as long valid.
  package var parameters: UnsafeBufferPointer<ParameterChange> {
    @_noLocks get { UnsafeBufferPointer(start: changes, count: changeCount) }
  }

  @_noLocks private mutating func take(until end: UInt32, from begin: Int64, frames: Int) {
    var left = Int(end &- position)
    // More than fits is nonsense, and nothing of it can be believed.
    if left > SegmentLayout.eventSlots {
      malformed += 1
      left = 0
    }
    while left > 0 { left -= take(from: begin, frames: frames, available: left) }
    position = end
    read.store(position)
  }

  /// Takes one event.
  ///
  /// - Returns: How many slots it had, at most `available`.
  @_noLocks private mutating func take(
    from begin: Int64, frames: Int, available: Int
  ) -> Int {
    let slot = self.slot
    position &+= 1
    let offset = self.offset(of: slot.frame, from: begin, frames: frames)
    let (status, data1, data2) = slot.bytes
    switch UInt32(slot.kind) {
    case SEGMENT_EVENT_CHANNEL.rawValue:
      if let message = ChannelMessage(status: status, data1: data1, data2: data2) {
        append(.channel(message), at: offset)
      } else {
        malformed += 1
      }
      return 1
    case SEGMENT_EVENT_SYSTEM.rawValue:
      if let message = SystemMessage(status: status, data1: data1, data2: data2) {
        append(.system(message), at: offset)
      } else {
        malformed += 1
      }
      return 1
    case SEGMENT_EVENT_SYSEX.rawValue:
      return takeSysEx(Int(slot.count), at: offset, available: available - 1) + 1
    case SEGMENT_EVENT_PARAMETER.rawValue:
      return takeChange(of: slot.count, at: offset, available: available - 1) + 1
    default:
      malformed += 1
      return 1
    }
  }

  @_noLocks private mutating func takeChange(
    of index: UInt32, at offset: UInt32, available: Int
  ) -> Int {
    if available < 1 {
      malformed += 1
      return 0
    }
    let data = unsafeBitCast(slot, to: segment_parameter.self)
    position &+= 1
    changes[changeCount] = ParameterChange(
      offset: offset, index: index, value: data.value, ramp: data.ramp)
    changeCount += 1
    return 1
  }

  /// The next slot: one copy, loaded by halves that are atomic, so that what is checked is what is used even
  /// while the other side writes.
  private var slot: segment_slot {
    @_noLocks get {
      let index = Int(position) & (SegmentLayout.eventSlots - 1)
      let halves = (slots + index * SegmentLayout.slotSize)
        .assumingMemoryBound(to: Atomic<UInt64>.self)
      let (first, second) = (
        halves[0].load(ordering: .relaxed), halves[1].load(ordering: .relaxed)
      )
      return unsafeBitCast((first, second), to: segment_slot.self)
    }
  }

  @_noLocks private mutating func takeSysEx(
    _ count: Int, at offset: UInt32, available: Int
  ) -> Int {
    let slotSize = SegmentLayout.slotSize
    guard count <= available * slotSize else {
      malformed += 1
      return available
    }
    let capacity = SegmentLayout.eventSlots * slotSize
    let place = (Int(position) * slotSize) & (capacity - 1)
    let head = min(count, capacity - place)
    let target = UnsafeMutableRawPointer(sysEx + sysExCount)
    target.copyMemory(from: slots + place, byteCount: head)
    (target + head).copyMemory(from: slots, byteCount: count - head)
    if isData(sysEx + sysExCount, count) {
      append(.sysEx(start: UInt32(sysExCount), count: UInt32(count)), at: offset)
      sysExCount += count
    } else {
      malformed += 1
    }
    let used = (count + slotSize - 1) / slotSize
    position &+= UInt32(used)
    return used
  }

  @_noLocks private func isData(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var all: UInt8 = 0
    for i in 0..<count { all |= bytes[i] }
    return all < 0x80
  }

  /// Within the cycle, and not before the event before.
  @_noLocks private mutating func offset(
    of frame: Int64, from begin: Int64, frames: Int
  ) -> UInt32 {
    if frame < begin { belated += 1 }
    let (distance, isFar) = frame.subtractingReportingOverflow(begin)
    var offset = isFar ? (frame < begin ? 0 : frames - 1) : Int(distance)
    offset = max(Int(lastOffset), min(offset, frames - 1))
    lastOffset = UInt32(offset)
    return lastOffset
  }

  @_noLocks private mutating func append(_ content: MIDIEvent.Content, at offset: UInt32) {
    events[eventCount] = MIDIEvent(offset: offset, content: content)
    eventCount += 1
  }
}
