package import MIDIFile
import RenderCore

/// Collects the events of a song for the segments of a cycle, including after jumps.
///
/// When the song stops or jumps, its sounding notes are released first. At an entry, the instrument is then chased to
/// the state it would have if the song had been played up to there: programs, controllers, pitch bends, registered
/// parameters and the settings of GM, GS and XG messages, as far as they differ from its present state. Other System
/// Exclusive messages are not repeated. Notes that started before the entry remain silent.
///
/// Realtime: no; collecting does not allocate after the busiest cycle. Threads: one at a time.
package struct SongCursor {
  private let timeline: Timeline
  /// The state of the instruments before every ``spacing``th event.
  private let chases: [Chase]
  /// The index of the next event, if the song continues.
  private var next = 0
  /// The keys that each port holds.
  private var held: [HeldNotes]
  /// The present state of the instruments.
  private var chase: Chase
  private var events: [MIDIEvent] = []
  private var origins: [EventOrigin] = []

  /// The state of an instrument for each port.
  private typealias Chase = [InstrumentChase]
  /// The System Exclusive messages of the song, and after them those of the chase in the current cycle.
  private var sysEx: [UInt8]

  private static let spacing = 1024

  /// - Complexity: O(*n*) for *n* events; memory: some kilobytes per 1024 events.
  package init(_ timeline: Timeline) {
    self.timeline = timeline
    sysEx = timeline.sysEx
    let ports = timeline.ports.count
    held = Array(repeating: HeldNotes(), count: ports)
    chase = Array(repeating: InstrumentChase(), count: ports)
    var (chase, chases) = (chase, [Chase]())
    for (index, event) in timeline.events.enumerated() {
      if index % Self.spacing == 0 { chases.append(chase) }
      Self.update(event, of: timeline, &chase)
    }
    self.chases = chases
  }

  /// The number of keys that the song holds down.
  package var heldNotes: Int { held.reduce(0) { $0 + $1.count } }

  /// Collects the events of a cycle and passes them to `body`, in the order of their offsets.
  ///
  /// - Parameters:
  ///   - frames: The length of the cycle.
  ///   - segments: The segments of the cycle. No cycle may be skipped.
  package mutating func withCycle(
    _ frames: Int, _ segments: [SongSegment], _ body: (SongCycle) -> Void
  ) {
    events.removeAll(keepingCapacity: true)
    origins.removeAll(keepingCapacity: true)
    sysEx.removeLast(sysEx.count - timeline.sysEx.count)
    for segment in segments { collect(segment) }
    events.withUnsafeBufferPointer { events in
      sysEx.withUnsafeBufferPointer { sysEx in
        origins.withUnsafeBufferPointer { origins in
          let midi = MIDICycle(frames: frames, events: events, sysEx: sysEx)
          body(SongCycle(midi: midi, origins: origins, notes: 0))
        }
      }
    }
  }

  /// For each port, the messages that bring a new instrument to the present state.
  var settings: [[MIDIContent]] { chase.map { $0.difference(from: InstrumentChase()) } }

  private mutating func collect(_ segment: SongSegment) {
    if hasEnded(at: segment) {
      // Notes at the song's last tick are played, too.
      play(segment, until: segment.end + 1)
    }
    if segment.isEntry || !segment.isPlaying { release(at: segment.offset) }
    guard segment.isPlaying else { return }
    if segment.isEntry { enter(at: segment) }
    play(segment, until: segment.end)
  }

  /// Whether the song was played up to its end and has stopped there, with events of that frame remaining.
  private func hasEnded(at segment: SongSegment) -> Bool {
    guard !segment.isPlaying, !segment.isEntry, segment.begin == timeline.endFrame,
      next < timeline.events.count
    else { return false }
    return timeline.events[next].frame == timeline.endFrame
  }

  private mutating func play(_ segment: SongSegment, until end: Int64) {
    while next < timeline.events.count, timeline.events[next].frame < end {
      let event = timeline.events[next]
      next += 1
      Self.update(event, of: timeline, &chase)
      let offset = segment.offset + Int(event.frame - segment.begin)
      let port = Int(event.port)
      switch event.message {
      case .channel(let message):
        held[port].follow(message)
        append(.channel(message), to: port, at: offset)
      case .sysEx(let range):
        timeline.sysEx.withUnsafeBufferPointer {
          held[port].follow(sysEx: UnsafeBufferPointer(rebasing: $0[range.indices]))
        }
        append(.sysEx(start: range.start, count: range.count), to: port, at: offset)
      }
    }
  }

  private mutating func release(at offset: Int) {
    for port in held.indices {
      while let message = held[port].popRelease() {
        chase[port].follow(message)
        append(.channel(message), to: port, at: offset)
      }
    }
  }

  private mutating func enter(at segment: SongSegment) {
    next = firstEvent(atOrAfter: segment.begin)
    let present = chase
    for (port, target) in chase(before: next).enumerated() {
      for content in target.difference(from: present[port]) {
        switch content {
        case .channel(let message):
          chase[port].follow(message)
          held[port].follow(message)
          append(.channel(message), to: port, at: segment.offset)
        case .sysEx(let bytes):
          bytes.withUnsafeBufferPointer { chase[port].follow(sysEx: $0) }
          append(
            .sysEx(start: UInt32(sysEx.count), count: UInt32(bytes.count)), to: port,
            at: segment.offset)
          sysEx += bytes
        case .system: break
        }
      }
    }
  }

  private mutating func append(_ content: MIDIEvent.Content, to port: Int, at offset: Int) {
    origins.append(EventOrigin(track: nil, port: UInt8(port)))
    events.append(MIDIEvent(offset: UInt32(offset), content: content))
  }

  private func firstEvent(atOrAfter frame: Int64) -> Int {
    var (low, high) = (0, timeline.events.count)
    while low < high {
      let middle = (low + high) / 2
      if timeline.events[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func chase(before index: Int) -> Chase {
    guard !chases.isEmpty else { return chase.map { _ in InstrumentChase() } }
    let start = min(index / Self.spacing, chases.count - 1)
    var chase = chases[start]
    for event in timeline.events[start * Self.spacing..<index] {
      Self.update(event, of: timeline, &chase)
    }
    return chase
  }

  private static func update(
    _ event: Timeline.Event, of timeline: Timeline, _ chase: inout Chase
  ) {
    let port = Int(event.port)
    switch event.message {
    case .channel(let message): chase[port].follow(message)
    case .sysEx(let range):
      timeline.sysEx.withUnsafeBufferPointer {
        chase[port].follow(sysEx: UnsafeBufferPointer(rebasing: $0[range.indices]))
      }
    }
  }
}
