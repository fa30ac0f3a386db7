import NodeProtocol
import RenderCore

/// Scheduled events that have not been sent to the node yet, in the order in which they act.
///
/// Stored by the host, so that no event is lost if the node is late or crashes. A binary heap: events may be inserted
/// in any order, and events for the same frame are removed in the order of insertion. The capacity is fixed.
///
/// Realtime: yes, except creation.
struct EventStore {
  struct Event: BitwiseCopyable {
    let frame: Int64
    fileprivate let sequence: UInt64
    let content: Content

    @_noLocks fileprivate func precedes(_ other: Event) -> Bool {
      frame < other.frame || (frame == other.frame && sequence < other.sequence)
    }
  }

  enum Content: BitwiseCopyable {
    case channel(ChannelMessage)
    case sysEx(SysExPool.Message)
    case system(SystemMessage)
    case parameter(ParameterChange)
  }

  private let events: UnsafeMutablePointer<Event>
  private(set) var count = 0
  private var sequence: UInt64 = 0
  private(set) var sysEx: SysExPool

  /// The number of FIFO slots that the stored events need. Never exceeds the capacity of the FIFO, so that all events
  /// of one cycle reach the node in that cycle.
  private var slots = 0
  private static var capacity: Int { @_noLocks get { SegmentLayout.eventSlots } }

  init(in memory: RenderMemory) {
    events = memory.make(
      Self.capacity,
      of: Event(
        frame: 0, sequence: 0, content: .channel(ChannelMessage(.noteOff, channel: 0, 0, 0))))
    sysEx = SysExPool(in: memory)
  }

  /// The event that acts first.
  var first: Event? { @_noLocks get { count > 0 ? events[0] : nil } }

  /// - Returns: `false` when the store is full.
  @_noLocks mutating func insert(_ message: ChannelMessage, at frame: Int64) -> Bool {
    insert(.channel(message), at: frame)
  }

  /// - Returns: `false` when the store is full.
  @_noLocks mutating func insert(_ message: SystemMessage, at frame: Int64) -> Bool {
    insert(.system(message), at: frame)
  }

  /// - Parameters:
  ///   - change: The change. Its offset is ignored.
  ///   - frame: The frame in the host's stream.
  /// - Returns: `false` when the store is full.
  @_noLocks mutating func insert(_ change: ParameterChange, at frame: Int64) -> Bool {
    insert(.parameter(change), at: frame)
  }

  /// - Parameters:
  ///   - message: The bytes without F0 and F7. Copied.
  ///   - frame: The frame in the host's stream.
  /// - Returns: `false` when the store is full.
  @_noLocks mutating func insert(
    sysEx message: UnsafeBufferPointer<UInt8>, at frame: Int64
  ) -> Bool {
    // The pool has room for the message if the FIFO has.
    if slots + SegmentLayout.slots(forSysEx: message.count) > Self.capacity { return false }
    return insert(.sysEx(sysEx.store(message)), at: frame)
  }

  @_noLocks private mutating func insert(_ content: Content, at frame: Int64) -> Bool {
    if slots + Self.slots(of: content) > Self.capacity { return false }
    slots += Self.slots(of: content)
    let event = Event(frame: frame, sequence: sequence, content: content)
    sequence += 1
    var index = count
    count += 1
    while index > 0 {
      let parent = (index - 1) / 2
      if !event.precedes(events[parent]) { break }
      events[index] = events[parent]
      index = parent
    }
    events[index] = event
    return true
  }

  @_noLocks private static func slots(of content: Content) -> Int {
    switch content {
    case .channel, .system: 1
    case .parameter: SegmentLayout.slotsOfParameter
    case .sysEx(let message): SegmentLayout.slots(forSysEx: message.count)
    }
  }

  /// Removes the first event and releases its bytes.
  @_noLocks mutating func removeFirst() {
    precondition(count > 0)
    slots -= Self.slots(of: events[0].content)
    if case .sysEx(let message) = events[0].content { sysEx.release(message) }
    count -= 1
    let last = events[count]
    var index = 0
    while true {
      var child = 2 * index + 1
      if child >= count { break }
      if child + 1 < count, events[child + 1].precedes(events[child]) { child += 1 }
      if !events[child].precedes(last) { break }
      events[index] = events[child]
      index = child
    }
    events[index] = last
  }

  @_noLocks mutating func removeAll() {
    while count > 0 { removeFirst() }
  }
}
