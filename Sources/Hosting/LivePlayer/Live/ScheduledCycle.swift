import MIDIFile
import NodeProtocol
import RenderCore

/// The events and transports of a song in a future cycle, prepared for the render thread.
///
/// Its memory is allocated once and reused.
///
/// Realtime: reading is. Threads: one at a time, as ordered by ``LookaheadRing``.
struct ScheduledCycle: @unchecked Sendable, BitwiseCopyable {
  private(set) var frames = 0
  private let events: UnsafeMutablePointer<Event>
  private var eventCount = 0
  /// The number of slots that its events occupy in a connection's FIFO.
  private var slots = 0
  private let points: UnsafeMutablePointer<TransportPoint>
  private var pointCount = 0
  private let segments: UnsafeMutablePointer<SongSegment>
  private var segmentCount = 0
  /// The song's SysEx bytes, valid as long as the song.
  private(set) var sysEx = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Whether audio and keyboard input are recorded.
  private(set) var isRecorded = false
  /// The number of recorded frames from the start of the cycle, if it is recorded.
  var recordedFrames = 0
  /// The course of the song to which the cycle belongs; see ``CueRequest``.
  var course: UInt32 = 0
  /// A bit for each chain with new instruments.
  private(set) var newChains: UInt64 = 0
  private let settingEvents: UnsafeMutablePointer<Event>
  private var settingCount = 0

  /// An event, and the port of the song that plays it.
  struct Event: BitwiseCopyable {
    var midi: MIDIEvent
    var port: UInt8
    /// A System Exclusive message that is not in the song, but brings an instrument to the song's state.
    var setting: ShortSysEx?

    /// Returns the event and a cycle that has its bytes.
    ///
    /// - Parameters:
    ///   - cycle: A cycle with the bytes of the song.
    ///   - memory: For ``ShortSysEx/capacity`` bytes; they must stay as long as the result is used.
    @_noLocks func message(
      _ cycle: MIDICycle, _ memory: UnsafeMutablePointer<UInt8>
    ) -> (event: MIDIEvent, cycle: MIDICycle) {
      guard let setting else { return (midi, cycle) }
      let bytes = setting.copy(to: memory)
      let content = MIDIEvent.Content.sysEx(start: 0, count: UInt32(bytes.count))
      return (
        MIDIEvent(offset: midi.offset, content: content),
        MIDICycle(frames: cycle.frames, sysEx: bytes)
      )
    }
  }

  /// The capacity of a connection's FIFO, so that it never refuses a scheduled cycle.
  static var eventCapacity: Int { SegmentLayout.eventSlots }
  /// The greatest number of transports in a cycle.
  static var pointCapacity: Int { TransportWriter.capacity }

  init(in memory: RenderMemory) {
    events = memory.reserve(Self.eventCapacity)
    settingEvents = memory.reserve(Self.eventCapacity)
    points = memory.reserve(Self.pointCapacity)
    segments = memory.reserve(Self.pointCapacity)
  }

  /// Fills the cycle.
  ///
  /// - Parameters:
  ///   - cycle: The events of the song.
  ///   - song: Its transports and segments.
  ///   - stretch: Their place in this cycle.
  ///   - waiting: Events that exceeded the capacity of earlier cycles, which come first; afterwards, the events that
  ///     exceed the capacity of this one.
  /// - Returns: The number of events of `cycle` that exceed the capacity.
  mutating func fill(
    _ cycle: SongCycle, _ song: SongTransport, _ stretch: Stretch,
    sysEx: UnsafeBufferPointer<UInt8>, waiting: inout [Event]
  ) -> Int {
    frames = stretch.frames
    self.sysEx = sysEx
    isRecorded = song.isRecording
    recordedFrames = frames
    (eventCount, slots) = (0, 0)
    var left: [Event] = []
    for event in waiting {
      var event = event
      event.midi.offset = 0
      add(event, or: &left)
    }
    let old = left.count
    for (event, origin) in zip(cycle.midi.events, cycle.origins) {
      let offset = UInt32(stretch.offset(Int(event.offset)))
      let midi = MIDIEvent(offset: offset, content: event.content)
      add(
        Event(midi: midi, port: origin.port, setting: setting(event, cycle.midi.sysEx)), or: &left)
    }
    waiting = left
    (pointCount, segmentCount) = (0, 0)
    for point in song.points { add(point, stretch) }
    for segment in song.segments { add(segment, stretch) }
    return left.count - old
  }

  /// The message of an event that is beyond the bytes of the song.
  private func setting(_ event: MIDIEvent, _ bytes: UnsafeBufferPointer<UInt8>) -> ShortSysEx? {
    guard case .sysEx(let start, let count) = event.content, Int(start) >= sysEx.count else {
      return nil
    }
    return ShortSysEx(
      UnsafeBufferPointer(rebasing: bytes[Int(start)..<Int(start) + Int(count)]))
  }

  private mutating func add(_ point: TransportPoint, _ stretch: Stretch) {
    let offset = UInt32(stretch.offset(Int(point.offset)))
    // Of several on one frame, the last one holds.
    if pointCount > 0, points[pointCount - 1].offset == offset { pointCount -= 1 }
    if pointCount == Self.pointCapacity { return }
    var transport = point.transport
    if let tempo = stretch.tempo { transport.tempo = tempo }
    (points + pointCount).initialize(to: TransportPoint(offset: offset, transport))
    pointCount += 1
  }

  private mutating func add(_ segment: SongSegment, _ stretch: Stretch) {
    let begin = stretch.border(segment.offset)
    let frames = stretch.border(segment.offset + segment.frames) - begin
    if frames == 0 || segmentCount == Self.pointCapacity { return }
    (segments + segmentCount).initialize(
      to: SongSegment(
        offset: begin, frames: frames, begin: segment.begin, isPlaying: segment.isPlaying,
        isEntry: segment.isEntry))
    segmentCount += 1
  }

  /// Sets the new chains that play the song from this cycle on.
  ///
  /// - Parameters:
  ///   - chains: A bit for each chain.
  ///   - messages: For each port, the messages that bring a new instrument to the song's state. Messages beyond a
  ///     connection's capacity are dropped.
  mutating func setNewChains(_ chains: UInt64, _ messages: [[MIDIContent]]) {
    newChains = chains
    settingCount = 0
    for (port, contents) in messages.enumerated() {
      for content in contents.prefix(Self.eventCapacity - settingCount) {
        addSetting(content, port: UInt8(port))
      }
    }
  }

  private mutating func addSetting(_ content: MIDIContent, port: UInt8) {
    let event: MIDIEvent.Content
    var setting: ShortSysEx?
    switch content {
    case .channel(let message): event = .channel(message)
    case .system(let message): event = .system(message)
    case .sysEx(let bytes):
      event = .sysEx(start: 0, count: UInt32(bytes.count))
      setting = bytes.withUnsafeBufferPointer { ShortSysEx($0) }
      if setting == nil { return }
    }
    (settingEvents + settingCount).initialize(
      to: Event(midi: MIDIEvent(offset: 0, content: event), port: port, setting: setting))
    settingCount += 1
  }

  /// The messages to be sent to new chains first.
  var settings: UnsafeBufferPointer<Event> {
    @_noLocks get { UnsafeBufferPointer(start: settingEvents, count: settingCount) }
  }

  /// Adds an event. Keeps the order: once an event waits, all later ones wait.
  private mutating func add(_ event: Event, or waiting: inout [Event]) {
    var needed = 1
    if case .sysEx(_, let count) = event.midi.content {
      needed = min(SegmentLayout.slots(forSysEx: Int(count)), Self.eventCapacity)
    }
    guard waiting.isEmpty, slots + needed <= Self.eventCapacity else {
      return waiting.append(event)
    }
    (events + eventCount).initialize(to: event)
    eventCount += 1
    slots += needed
  }

  /// Returns the events at offsets from `begin` up to, but not including, `end`. Offsets are relative to this cycle.
  @_noLocks func events(from begin: Int, to end: Int) -> UnsafeBufferPointer<Event> {
    var first = 0
    while first < eventCount, Int(events[first].midi.offset) < begin { first += 1 }
    var last = first
    while last < eventCount, Int(events[last].midi.offset) < end { last += 1 }
    return UnsafeBufferPointer(start: events + first, count: last - first)
  }

  var transport: UnsafeBufferPointer<TransportPoint> {
    @_noLocks get { UnsafeBufferPointer(start: points, count: pointCount) }
  }

  /// Returns the segment that contains an offset, as if it began there; `nil` if the offset is beyond the cycle.
  @_noLocks func segment(at offset: Int) -> SongSegment? {
    for index in 0..<segmentCount {
      let segment = segments[index]
      let passed = offset - segment.offset
      if passed < 0 || passed >= segment.frames { continue }
      return SongSegment(
        offset: offset, frames: segment.frames - passed,
        begin: segment.isPlaying ? segment.begin + Int64(passed) : segment.begin,
        isPlaying: segment.isPlaying, isEntry: segment.isEntry && passed == 0)
    }
    return nil
  }

  var songSegments: UnsafeBufferPointer<SongSegment> {
    @_noLocks get { UnsafeBufferPointer(start: segments, count: segmentCount) }
  }
}
