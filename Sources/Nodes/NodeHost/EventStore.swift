import NodeProtocol
import RenderCore

/// Events that were scheduled and are not due yet, in the order in which they act.
///
/// Kept on the host's side, so that a node that is late or dead loses none of them. A heap: events may
/// come in any order, and those of one frame leave in the order in which they came. Capacity is fixed.
///
/// Realtime: yes, apart from making and destroying it.
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
  private(set) var sysEx = SysExPool()

  /// Slots of the FIFO that all events here would take. Never more than it has, so that whatever
  /// is due in one cycle reaches the node in that cycle.
  private var slots = 0
  private static var capacity: Int { @_noLocks get { SegmentLayout.eventSlots } }

  init() { events = .allocate(capacity: Self.capacity) }

  func destroy() {
    events.deallocate()
    sysEx.destroy()
  }

  /// The event that acts first.
  var first: Event? { @_noLocks get { count > 0 ? events[0] : nil } }

  /// - Returns: `false` when the store is full.
  @_noLocks mutating func insert(_ message: ChannelMessage, at frame: Int64) -> Bool {
    if slots == Self.capacity { return false }
    insert(.channel(message), slots: 1, at: frame)
    return true
  }

  /// - Returns: `false` when the store is full.
  @_noLocks mutating func insert(_ message: SystemMessage, at frame: Int64) -> Bool {
    if slots == Self.capacity { return false }
    insert(.system(message), slots: 1, at: frame)
    return true
  }

  /// - Parameter change: Its offset means nothing here.
  /// - Returns: `false` when the store is full.
  @_noLocks mutating func insert(_ change: ParameterChange, at frame: Int64) -> Bool {
    if slots + SegmentLayout.slotsOfParameter > Self.capacity { return false }
    insert(.parameter(change), slots: SegmentLayout.slotsOfParameter, at: frame)
    return true
  }

  /// - Parameter message: Without F0 and F7.
  /// - Returns: `false` when the store is full.
  @_noLocks mutating func insert(
    sysEx message: UnsafeBufferPointer<UInt8>, at frame: Int64
  ) -> Bool {
    let needed = SegmentLayout.slots(forSysEx: message.count)
    if slots + needed > Self.capacity { return false }
    insert(.sysEx(sysEx.store(message)), slots: needed, at: frame)
    return true
  }

  @_noLocks private mutating func insert(_ content: Content, slots needed: Int, at frame: Int64) {
    slots += needed
    let event = Event(frame: frame, sequence: sequence, content: content)
    sequence += 1
    var hole = count
    count += 1
    while hole > 0 {
      let parent = (hole - 1) / 2
      if !event.precedes(events[parent]) { break }
      events[hole] = events[parent]
      hole = parent
    }
    events[hole] = event
  }

  /// Takes the first event out. Its bytes are given back.
  @_noLocks mutating func removeFirst() {
    precondition(count > 0)
    switch events[0].content {
    case .channel, .system:
      slots -= 1
    case .parameter:
      slots -= SegmentLayout.slotsOfParameter
    case .sysEx(let message):
      slots -= SegmentLayout.slots(forSysEx: message.count)
      sysEx.release(message)
    }
    count -= 1
    let last = events[count]
    var hole = 0
    while true {
      var child = 2 * hole + 1
      if child >= count { break }
      if child + 1 < count, events[child + 1].precedes(events[child]) { child += 1 }
      if !events[child].precedes(last) { break }
      events[hole] = events[child]
      hole = child
    }
    events[hole] = last
  }

  @_noLocks mutating func removeAll() {
    while count > 0 { removeFirst() }
  }
}
