import CSegment
import LocalSystem
package import RenderCore
import Synchronization

/// The consumer of an event FIFO: copies the events of a cycle to private memory. The node reads the FIFO to the node;
/// the host reads the FIFO to the host.
///
/// The shared memory is not trusted: whatever the other process has written, the resulting events are in order, within
/// the cycle and well-formed. Malformed events are dropped and counted.
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
  /// The offset of the event read last.
  private var lastOffset: UInt32 = 0

  /// The number of malformed messages.
  package private(set) var malformed = 0
  /// The number of events whose cycle was missed, and which act at the start of the next cycle.
  package private(set) var late = 0

  package init(_ segment: Segment, _ direction: EventDirection, in memory: RenderMemory) {
    slots = segment.slots(direction)
    written = segment.written(direction)
    read = segment.read(direction)
    let nothing = MIDIEvent(offset: 0, content: .sysEx(start: 0, count: 0))
    events = memory.make(SegmentLayout.eventSlots, of: nothing)
    sysEx = memory.make(SegmentLayout.eventSlots * SegmentLayout.slotSize, of: 0)
    let mostChanges = SegmentLayout.eventSlots / SegmentLayout.slotsOfParameter
    changes = memory.make(mostChanges, of: ParameterChange(offset: 0, index: 0, value: 0))
  }

  /// Reads all events from the FIFO.
  ///
  /// - Parameters:
  ///   - begin: The position of the cycle's first frame in the host's stream.
  ///   - frames: 1 or more.
  /// - Returns: The cycle, valid until the next call.
  @_noLocks package mutating func next(from begin: Int64, frames: Int) -> MIDICycle {
    eventCount = 0
    sysExCount = 0
    changeCount = 0
    lastOffset = 0
    let end = written.value
    if end != position { readEvents(until: end, from: begin, frames: frames) }
    return MIDICycle(
      frames: frames,
      events: UnsafeBufferPointer(start: events, count: eventCount),
      sysEx: UnsafeBufferPointer(start: sysEx, count: sysExCount))
  }

  /// The parameter changes that ``next(from:frames:)`` read, valid until its next call.
  package var parameters: UnsafeBufferPointer<ParameterChange> {
    @_noLocks get { UnsafeBufferPointer(start: changes, count: changeCount) }
  }

  @_noLocks private mutating func readEvents(until end: UInt32, from begin: Int64, frames: Int) {
    var left = Int(end &- position)
    // More slots than the FIFO has: the whole content is invalid and is skipped.
    if left > SegmentLayout.eventSlots {
      malformed += 1
      left = 0
    }
    while left > 0 { left -= readEvent(from: begin, frames: frames, available: left) }
    position = end
    read.store(position)
  }

  /// Reads one event.
  ///
  /// - Returns: The number of slots of the event, at most `available`.
  @_noLocks private mutating func readEvent(
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
      return readSysEx(Int(slot.count), at: offset, available: available - 1) + 1
    case SEGMENT_EVENT_PARAMETER.rawValue:
      return readParameterChange(of: slot.count, at: offset, available: available - 1) + 1
    default:
      malformed += 1
      return 1
    }
  }

  @_noLocks private mutating func readParameterChange(
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

  /// A copy of the next slot, made with two atomic loads, so that the validated value is the one used even if the other
  /// process writes at the same time.
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

  @_noLocks private mutating func readSysEx(
    _ count: Int, at offset: UInt32, available: Int
  ) -> Int {
    let slotSize = SegmentLayout.slotSize
    guard count <= available * slotSize else {
      malformed += 1
      return available
    }
    let capacity = SegmentLayout.eventSlots * slotSize
    let start = (Int(position) * slotSize) & (capacity - 1)
    let head = min(count, capacity - start)
    let target = UnsafeMutableRawPointer(sysEx + sysExCount)
    target.copyMemory(from: slots + start, byteCount: head)
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

  /// Returns the offset of a frame, clamped to the cycle and not before the previous event.
  @_noLocks private mutating func offset(
    of frame: Int64, from begin: Int64, frames: Int
  ) -> UInt32 {
    if frame < begin { late += 1 }
    let (distance, overflows) = frame.subtractingReportingOverflow(begin)
    var offset = overflows ? (frame < begin ? 0 : frames - 1) : Int(distance)
    offset = max(Int(lastOffset), min(offset, frames - 1))
    lastOffset = UInt32(offset)
    return lastOffset
  }

  @_noLocks private mutating func append(_ content: MIDIEvent.Content, at offset: UInt32) {
    events[eventCount] = MIDIEvent(offset: offset, content: content)
    eventCount += 1
  }
}
