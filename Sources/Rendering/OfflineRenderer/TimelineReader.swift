package import MIDIFile
import RenderCore

/// Reads a timeline's events cycle by cycle, and releases all notes at the end.
package struct TimelineReader {
  private let timeline: Timeline
  private var next = 0
  private var events: [MIDIEvent] = []
  private var origins: [EventOrigin] = []
  /// The keys that each port holds.
  private var held: [HeldNotes]
  /// The first frame of the next cycle.
  private(set) var now = 0
  /// The end of the song: later events are dropped, and sounding notes are released.
  let end: Int
  /// The number of notes that had to be released at the end.
  private(set) var unreleasedNotes = 0

  package init(_ timeline: Timeline, end: Int) {
    self.timeline = timeline
    self.end = end
    held = Array(repeating: HeldNotes(), count: timeline.ports.count)
  }

  /// Passes the next cycle to `body`.
  ///
  /// - Parameters:
  ///   - frames: 1 or more.
  ///   - body: Receives the cycle.
  package mutating func withNext<Failure: Error>(
    _ frames: Int, _ body: (SongCycle) throws(Failure) -> Void
  ) throws(Failure) {
    var notes = collect(until: min(now + frames, end))
    if now <= end, end < now + frames { notes += release(offset: UInt32(end - now)) }
    now += frames
    let result: Result<Void, Failure> = events.withUnsafeBufferPointer { events in
      timeline.sysEx.withUnsafeBufferPointer { sysEx in
        origins.withUnsafeBufferPointer { origins in
          Result { () throws(Failure) in
            let midi = MIDICycle(frames: frames, events: events, sysEx: sysEx)
            try body(SongCycle(midi: midi, origins: origins, notes: notes))
          }
        }
      }
    }
    try result.get()
  }

  /// - Returns: The number of notes that start.
  private mutating func collect(until limit: Int) -> Int {
    events.removeAll(keepingCapacity: true)
    origins.removeAll(keepingCapacity: true)
    var notes = 0
    while next < timeline.events.count, timeline.events[next].frame < Int64(limit) {
      let event = timeline.events[next]
      next += 1
      append(event)
      switch event.message {
      case .channel(let message):
        held[Int(event.port)].follow(message)
        if message.startsNote { notes += 1 }
      case .sysEx(let range):
        timeline.bytes(of: range).withUnsafeBufferPointer {
          held[Int(event.port)].follow(sysEx: $0)
        }
      }
    }
    return notes
  }

  private mutating func append(_ event: Timeline.Event) {
    let content: MIDIEvent.Content =
      switch event.message {
      case .channel(let message): .channel(message)
      case .sysEx(let range): .sysEx(start: range.start, count: range.count)
      }
    events.append(MIDIEvent(offset: UInt32(event.frame - Int64(now)), content: content))
    origins.append(EventOrigin(track: event.track, port: event.port))
  }

  /// Ends the song. Messages at the end frame come first, such as the last note-offs; notes among them only start if
  /// the file itself ends there.
  ///
  /// - Returns: The number of notes that start.
  private mutating func release(offset: UInt32) -> Int {
    var notes = 0
    while next < timeline.events.count, timeline.events[next].frame == Int64(end) {
      let event = timeline.events[next]
      next += 1
      if case .channel(let message) = event.message {
        if message.startsNote {
          guard timeline.playsNotes(at: event.frame, until: end) else { continue }
          notes += 1
        }
        held[Int(event.port)].follow(message)
      }
      append(event)
    }
    unreleasedNotes = held.reduce(0) { $0 + $1.count }
    for port in held.indices {
      while let message = held[port].popRelease() {
        events.append(MIDIEvent(offset: offset, content: .channel(message)))
        origins.append(EventOrigin(track: nil, port: UInt8(port)))
      }
    }
    return notes
  }
}

extension Timeline {
  /// Returns whether a note at `frame` is played if the song ends at `end`: before the end, and at the end if the file
  /// ends there, because many files have their last note on their last tick.
  func playsNotes(at frame: Int64, until end: Int) -> Bool {
    frame < Int64(end) || (frame == Int64(end) && Int64(end) == endFrame)
  }
}
