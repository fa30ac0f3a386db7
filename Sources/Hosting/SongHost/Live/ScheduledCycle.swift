import NodeProtocol
import RenderCore

/// What a song plays in a stretch of time that is still to come, made ready for the render thread.
///
/// Its memory is made once and used over and over.
///
/// Realtime: reading is. Threads: whoever has the turn, by the ``PlanRing``.
struct ScheduledCycle: @unchecked Sendable, BitwiseCopyable {
  private(set) var frames = 0
  private let events: UnsafeMutablePointer<MIDIEvent>
  private var eventCount = 0
  /// Slots that its events take of a connection's FIFO.
  private var slots = 0
  private let points: UnsafeMutablePointer<TransportPoint>
  private var pointCount = 0
  private let stretches: UnsafeMutablePointer<SongSegment>
  private var stretchCount = 0
  /// The song's, which stay as long as the song.
  private(set) var sysEx = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Whether what is heard and played is recorded.
  private(set) var isRecorded = false
  /// Frames of it that are recorded then, from its first.
  var recordedFrames = 0
  /// Chains that are fresh, a bit each, and how many messages tell them what the song has set.
  private(set) var freshChains: UInt64 = 0
  private let settings: UnsafeMutablePointer<ChannelMessage>
  private var settingCount = 0

  /// What a connection holds, so that it never refuses a plan.
  static var eventCapacity: Int { SegmentLayout.eventSlots }
  /// Transports that a cycle can have.
  static var pointCapacity: Int { TransportWriter.capacity }

  init() {
    events = .allocate(capacity: Self.eventCapacity)
    settings = .allocate(capacity: Self.eventCapacity)
    points = .allocate(capacity: Self.pointCapacity)
    stretches = .allocate(capacity: Self.pointCapacity)
  }

  func destroy() {
    events.deallocate()
    settings.deallocate()
    points.deallocate()
    stretches.deallocate()
  }

  /// - Parameter waiting: Events that found no room before, which come first; then those that find none now.
  /// - Returns: How many of the cycle's own found none.
  mutating func fill(
    _ cycle: MIDICycle, _ song: SongTransport, sysEx: UnsafeBufferPointer<UInt8>,
    waiting: inout [MIDIEvent]
  ) -> Int {
    frames = cycle.frames
    self.sysEx = sysEx
    isRecorded = song.isRecording
    recordedFrames = frames
    (eventCount, slots) = (0, 0)
    var left: [MIDIEvent] = []
    for event in waiting { add(MIDIEvent(offset: 0, content: event.content), or: &left) }
    let old = left.count
    for event in cycle.events { add(event, or: &left) }
    waiting = left
    pointCount = min(song.points.count, Self.pointCapacity)
    for index in 0..<pointCount { (points + index).initialize(to: song.points[index]) }
    stretchCount = min(song.stretches.count, Self.pointCapacity)
    for index in 0..<stretchCount { (stretches + index).initialize(to: song.stretches[index]) }
    return left.count - old
  }

  /// Lets fresh chains follow the song from this plan on.
  ///
  /// - Parameters:
  ///   - chains: A bit each.
  ///   - messages: What makes of a fresh instrument what the song has set. More than a connection holds are left out.
  mutating func refresh(_ chains: UInt64, _ messages: [ChannelMessage]) {
    freshChains = chains
    settingCount = min(messages.count, Self.eventCapacity)
    for index in 0..<settingCount { (settings + index).initialize(to: messages[index]) }
  }

  /// What fresh chains are told first.
  var freshSettings: UnsafeBufferPointer<ChannelMessage> {
    @_noLocks get { UnsafeBufferPointer(start: settings, count: settingCount) }
  }

  /// Keeps the order: once one waits, all after it do.
  private mutating func add(_ event: MIDIEvent, or waiting: inout [MIDIEvent]) {
    var needed = 1
    if case .sysEx(_, let count) = event.content {
      needed = min(SegmentLayout.slots(forSysEx: Int(count)), Self.eventCapacity)
    }
    guard waiting.isEmpty, slots + needed <= Self.eventCapacity else {
      return waiting.append(event)
    }
    (events + eventCount).initialize(to: event)
    eventCount += 1
    slots += needed
  }

  /// Events from `begin` to before `end`, with offsets as in the plan.
  @_noLocks func events(from begin: Int, to end: Int) -> UnsafeBufferPointer<MIDIEvent> {
    var first = 0
    while first < eventCount, Int(events[first].offset) < begin { first += 1 }
    var last = first
    while last < eventCount, Int(events[last].offset) < end { last += 1 }
    return UnsafeBufferPointer(start: events + first, count: last - first)
  }

  var transport: UnsafeBufferPointer<TransportPoint> {
    @_noLocks get { UnsafeBufferPointer(start: points, count: pointCount) }
  }

  var songStretches: UnsafeBufferPointer<SongSegment> {
    @_noLocks get { UnsafeBufferPointer(start: stretches, count: stretchCount) }
  }
}
