package import MIDIFile
import RenderCore

/// Collects the events of a song for the segments of a cycle, including after jumps.
///
/// When the song stops or jumps, its sounding notes are released first. At an entry, the instrument is then chased to
/// the state it would have if the song had been played up to there: programs, controllers, pitch bends, registered
/// parameters and the settings of GM, GS and XG messages, as far as they differ from its present state. Other System
/// Exclusive messages are not repeated. Notes that started before the entry remain silent.
///
/// The song can be replaced by another version of it while it plays. Keys that the other version does not hold at that place
/// are released, and the instruments are chased; the other notes go on.
///
/// Realtime: no; collecting does not allocate after the busiest cycle. Threads: one at a time.
package struct SongCursor {
  private let timeline: Timeline
  /// The state before every ``spacing``th event.
  private let states: [State]
  /// The index of the next event, if the song continues.
  private var next = 0
  /// The present state of the instruments.
  private var state: State
  /// Whether the state is that of another version of the song.
  private var isChanged = false
  private var events: [MIDIEvent] = []
  private var origins: [EventOrigin] = []

  /// The state of the instrument of each port.
  private struct State {
    /// The keys that it holds.
    var held: [HeldNotes]
    var chase: [InstrumentChase]

    mutating func follow(_ message: ChannelMessage, port: Int) {
      held[port].follow(message)
      chase[port].follow(message)
    }

    mutating func follow(_ event: Timeline.Event, of timeline: Timeline) {
      let port = Int(event.port)
      switch event.message {
      case .channel(let message): follow(message, port: port)
      case .sysEx(let range):
        timeline.sysEx.withUnsafeBufferPointer {
          let bytes = UnsafeBufferPointer(rebasing: $0[range.indices])
          held[port].follow(sysEx: bytes)
          chase[port].follow(sysEx: bytes)
        }
      }
    }
  }
  /// The System Exclusive messages of the song, and after them those of the chase in the current cycle.
  private var sysEx: [UInt8]

  private static let spacing = 1024

  /// - Complexity: O(*n*) for *n* events; memory: some kilobytes per 1024 events.
  package init(_ timeline: Timeline) {
    self.timeline = timeline
    sysEx = timeline.sysEx
    state = Self.initialState(timeline)
    var (state, states) = (state, [State]())
    for (index, event) in timeline.events.enumerated() {
      if index % Self.spacing == 0 { states.append(state) }
      state.follow(event, of: timeline)
    }
    self.states = states
  }

  /// Replaces the song by another version of it, with the same ports and System Exclusive messages.
  ///
  /// - Parameter frame: The frame of the other version with which the next cycle begins; `nil` if the song does not play.
  /// - Parameter other: A cursor of the other version.
  package mutating func change(to other: SongCursor, at frame: Int64?) {
    let state = state
    self = other
    self.state = state
    next = frame.map(firstEvent) ?? timeline.events.count
    isChanged = frame != nil
  }

  /// Notes that the instruments are new.
  package mutating func renew() { state = Self.initialState(timeline) }

  private static func initialState(_ timeline: Timeline) -> State {
    let ports = timeline.ports.count
    return State(
      held: Array(repeating: HeldNotes(), count: ports),
      chase: Array(repeating: InstrumentChase(), count: ports))
  }

  /// Returns the place of a frame in another version of the song.
  package func frame(_ frame: Int64, in other: SongCursor) -> Int64 {
    timeline.frame(frame, in: other.timeline)
  }

  /// The number of keys that the song holds down.
  package var heldNotes: Int { state.held.reduce(0) { $0 + $1.count } }

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
    if isChanged { adapt() }
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
  var settings: [[MIDIContent]] { state.chase.map { $0.difference(from: InstrumentChase()) } }

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
      state.follow(event, of: timeline)
      let offset = segment.offset + Int(event.frame - segment.begin)
      let port = Int(event.port)
      switch event.message {
      case .channel(let message):
        append(.channel(message), to: port, at: offset)
      case .sysEx(let range):
        append(.sysEx(start: range.start, count: range.count), to: port, at: offset)
      }
    }
  }

  private mutating func release(at offset: Int) {
    for port in state.held.indices {
      while let message = state.held[port].popRelease() {
        state.chase[port].follow(message)
        append(.channel(message), to: port, at: offset)
      }
    }
  }

  /// Brings the instruments to the state of this version of the song before the next event.
  private mutating func adapt() {
    isChanged = false
    let target = state(before: next)
    for port in state.held.indices {
      while let message = state.held[port].popKey(notHeldBy: target.held[port]) {
        state.chase[port].follow(message)
        append(.channel(message), to: port, at: 0)
      }
    }
    chase(to: target, at: 0)
  }

  private mutating func enter(at segment: SongSegment) {
    next = firstEvent(atOrAfter: segment.begin)
    chase(to: state(before: next), at: segment.offset)
  }

  private mutating func chase(to target: State, at offset: Int) {
    let present = state.chase
    for (port, target) in target.chase.enumerated() {
      for content in target.difference(from: present[port]) {
        switch content {
        case .channel(let message):
          state.follow(message, port: port)
          append(.channel(message), to: port, at: offset)
        case .sysEx(let bytes):
          bytes.withUnsafeBufferPointer { state.chase[port].follow(sysEx: $0) }
          append(
            .sysEx(start: UInt32(sysEx.count), count: UInt32(bytes.count)), to: port, at: offset)
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

  private func state(before index: Int) -> State {
    let start = min(index / Self.spacing, states.count - 1)
    guard start >= 0 else { return SongCursor(timeline).state }
    var state = states[start]
    for event in timeline.events[start * Self.spacing..<index] {
      state.follow(event, of: timeline)
    }
    return state
  }
}
