package import LiveMIDI
package import MIDIFile
import RenderCore

/// The keyboard input recorded with a song, as a file aligned with the song.
///
/// The first track contains the song's tempo and time signature changes. Each further track is a take: one continuous
/// pass through the song in which something was played, up to a loop, jump or stop. Notes that sound at the end of a
/// take end there.
///
/// Notes held from a count-in start with the song. Notes that end in the count-in are dropped; all other events in it
/// are moved to the first tick.
///
/// Realtime: no. Threads: one at a time.
package struct Performance {
  /// An event with its frame in the song.
  struct Event {
    let frame: Int64
    let content: StandardMIDIFile.Content
  }
  private struct Take {
    let number: UInt32
    var events: [Event] = []
    /// The frame of its end, if it has ended.
    var end: Int64?
  }
  private var takes: [Take] = []

  package init() {}

  /// Whether nothing was played.
  package var isEmpty: Bool { takes.isEmpty }

  /// The number of events and of ended takes.
  package private(set) var eventCount = 0

  package var noteCount: Int {
    takes.reduce(0) { count, take in
      count
        + take.events.count { event in
          if case .channel(let message) = event.content { message.startsNote } else { false }
        }
    }
  }

  /// Reads all events that a ``SongTap`` has written. Must be called regularly, before the FIFO is full.
  package mutating func drain(_ fifo: EventFIFO.Reader) {
    while let (event, sysEx) = fifo.next() {
      eventCount += 1
      if takes.last?.number != event.number { takes.append(Take(number: event.number)) }
      let last = takes.count - 1
      switch event.content {
      case .channel(let message):
        takes[last].events.append(Event(frame: event.time, content: .channel(message)))
      case .sysEx: takes[last].events.append(Event(frame: event.time, content: .sysEx(sysEx)))
      case .system: takes[last].end = event.time
      }
    }
  }

  /// Returns the file.
  ///
  /// Its ticks are fractions of the song's: there are 16 384 to 32 767 per quarter note. Each event is on its exact
  /// frame if a tick is not longer than a frame, as from 176 quarter notes per minute on at 48 000 frames per second
  /// (from 89 on if the song has 480 or 960 ticks); otherwise it is on the nearest tick. A song in time code gets 120 quarter
  /// notes per minute.
  ///
  /// - Throws: The errors of ``StandardMIDIFile/timeline(sampleRate:)``.
  package func file(along map: BeatMap) throws(TimelineError) -> StandardMIDIFile {
    let conductor = map.conductor
    let timeline = try conductor.timeline(sampleRate: map.sampleRate)
    let tracks = takes.enumerated().map { index, take in
      var events = [
        StandardMIDIFile.Event(tick: 0, .meta(.text("take \(index + 1)", .trackName)))
      ]
      for event in Self.completedEvents(of: take) {
        events.append(.init(tick: Self.tick(of: event.frame, timeline), event.content))
      }
      return StandardMIDIFile.Track(bridging: events)
    }
    return StandardMIDIFile(
      format: .simultaneous, division: conductor.division, tracks: conductor.tracks + tracks)
  }

  /// Returns the tick whose frame is nearest.
  private static func tick(of frame: Int64, _ timeline: Timeline) -> Int64 {
    let tick = timeline.tick(atOrAfter: frame)
    let distance = timeline.frame(ofTick: tick) - frame
    guard tick > 0, distance > frame - timeline.frame(ofTick: tick - 1) else { return tick }
    return tick - 1
  }

  /// Returns the events of a take from frame 0 on, with every note ended.
  private static func completedEvents(of take: Take) -> [Event] {
    var (kept, early, held) = ([Event](), [Event](), HeldNotes())
    for event in take.events {
      if event.frame < 0 {
        if case .channel(let message) = event.content, message.endsNote {
          early.removeAll { $0.starts(sameNoteAs: message) }
        } else {
          early.append(Event(frame: 0, content: event.content))
        }
      } else {
        kept.append(event)
      }
    }
    kept = early + kept
    for case .channel(let message) in kept.map(\.content) { held.follow(message) }
    let end = max(kept.last?.frame ?? 0, take.end ?? 0)
    while let message = held.popRelease() {
      kept.append(Event(frame: end, content: .channel(message)))
    }
    return kept
  }
}

extension Performance.Event {
  fileprivate func starts(sameNoteAs end: ChannelMessage) -> Bool {
    guard case .channel(let message) = content else { return false }
    return message.startsNote && message.channel == end.channel && message.data1 == end.data1
  }
}
