package import LocalSystem
package import MIDIFile
import RenderCore

/// Notes and messages with times in seconds, as a song.
package struct NoteList {
  package struct Note {
    let start: Double
    let end: Double
    let port: UInt8
    let channel: UInt8
    let key: UInt8
    let velocity: UInt8
    let track: UInt16

    package init(
      start: Double, end: Double, track: UInt16 = 0, port: UInt8 = 0, channel: UInt8, key: UInt8,
      velocity: UInt8
    ) {
      (self.start, self.end, self.track, self.port) = (start, end, track, port)
      (self.channel, self.key, self.velocity) = (channel, key, velocity)
    }
  }

  package struct Message {
    let time: Double
    let port: UInt8
    let status: UInt8
    let data1: UInt8
    let data2: UInt8
    let track: UInt16

    package init(
      time: Double, track: UInt16 = 0, port: UInt8 = 0, status: UInt8, data1: UInt8, data2: UInt8
    ) {
      (self.time, self.track, self.port) = (time, track, port)
      (self.status, self.data1, self.data2) = (status, data1, data2)
    }
  }

  private let notes: [Note]
  private let messages: [Message]

  package init(notes: [Note], messages: [Message]) {
    self.notes = notes
    self.messages = messages
  }

  /// The greatest time, in seconds.
  static let maximumTime = 86_400.0
  /// A tick is so short that half a frame at each usual rate is a whole number of ticks.
  private static let ticksPerQuarter: UInt16 = 31_752
  private static let microsecondsPerQuarter: UInt32 = 1
  private static let ticksPerSecond = Double(ticksPerQuarter) * 1e6 / Double(microsecondsPerQuarter)

  /// A song, and for each of its notes, in the order of the note-ons, the index in the list.
  package typealias Song = (song: StandardMIDIFile, notes: [Int])

  /// An event of a track. At a tick, notes end, then messages act, then notes begin.
  private struct Event {
    let tick: Int64
    let rank: Int
    let port: UInt8
    let message: ChannelMessage
  }

  /// - Parameter score: The song whose tempos, time signatures, key signatures, texts and names of tracks the song has.
  /// - Throws: ``Failure/Kind/inputUnusable`` for a value that is out of range.
  package func song(score: StandardMIDIFile? = nil) throws(Failure) -> Song {
    let count = 1 + Int(max(notes.map(\.track).max() ?? 0, messages.map(\.track).max() ?? 0))
    var tracks: [[Event]] = Array(repeating: [], count: count)
    var starts: [Int64] = []
    for (index, note) in notes.enumerated() {
      let name = "note \(index)"
      let start = try Self.tick(note.start, "the start of \(name)")
      // A note ends after it begins, or it would not end at all.
      let end = max(try Self.tick(note.end, "the end of \(name)"), start + 1)
      guard note.end > note.start else {
        throw Self.invalid("the end of \(name) must be after its start, \(note.start) s", note.end)
      }
      guard note.channel < 16 else {
        throw Self.invalid("the channel of \(name) must be 0 to 15", note.channel)
      }
      guard note.key < 128 else {
        throw Self.invalid("the key of \(name) must be 0 to 127", note.key)
      }
      guard 1...127 ~= note.velocity else {
        throw Self.invalid("the velocity of \(name) must be 1 to 127", note.velocity)
      }
      starts.append(start)
      tracks[Int(note.track)] += [
        Event(
          tick: start, rank: 2, port: note.port,
          message: .init(.noteOn, channel: note.channel, note.key, note.velocity)),
        Event(
          tick: end, rank: 0, port: note.port,
          message: .init(.noteOff, channel: note.channel, note.key, 64)),
      ]
    }
    for (index, message) in messages.enumerated() {
      let name = "message \(index)"
      let tick = try Self.tick(message.time, "the time of \(name)")
      guard message.status >= 0xA0,
        let content = ChannelMessage(
          status: message.status, data1: message.data1, data2: message.data2)
      else {
        throw Self.invalid(
          "\(name) must have a status of 160 to 239 and data of 0 to 127",
          [message.status, message.data1, message.data2])
      }
      tracks[Int(message.track)].append(
        Event(tick: tick, rank: 1, port: message.port, message: content))
    }
    for index in tracks.indices {
      let sorted = tracks[index].enumerated().sorted {
        ($0.element.tick, $0.element.rank, $0.offset)
          < ($1.element.tick, $1.element.rank, $1.offset)
      }
      tracks[index] = sorted.map(\.element)
    }
    let hasPorts = tracks.contains { $0.contains { $0.port > 0 } }
    var song = StandardMIDIFile(
      format: count == 1 ? .singleTrack : .simultaneous,
      division: .ticksPerQuarter(Self.ticksPerQuarter),
      tracks: tracks.enumerated().map { Self.track($1, hasTempo: $0 == 0, hasPorts: hasPorts) })
    song.score = score.map { StandardMIDIFile.Score($0) }
    // A timeline has the events of a tick in the order of the tracks, and these those of the list.
    let order = notes.indices.sorted {
      (starts[$0], notes[$0].track, $0) < (starts[$1], notes[$1].track, $1)
    }
    return (song, order)
  }

  private static func track(
    _ events: [Event], hasTempo: Bool, hasPorts: Bool
  ) -> StandardMIDIFile.Track {
    typealias Event = StandardMIDIFile.Event
    var all = hasTempo ? [Event(tick: 0, .meta(.tempo(microsecondsPerQuarter)))] : []
    // The first port of a track applies from its start.
    var present = events.first?.port ?? 0
    if hasPorts { all.append(Event(tick: 0, .meta(.port(present)))) }
    for event in events {
      if event.port != present {
        present = event.port
        all.append(Event(tick: event.tick, .meta(.port(present))))
      }
      all.append(Event(tick: event.tick, .channel(event.message)))
    }
    return .init(all)
  }

  private static func tick(_ time: Double, _ name: String) throws(Failure) -> Int64 {
    guard time >= 0, time <= maximumTime else {
      throw invalid("\(name) must be 0 to \(Int(maximumTime)) seconds", time)
    }
    return Int64((time * ticksPerSecond).rounded())
  }

  private static func invalid(_ rule: String, _ found: Any) -> Failure {
    Failure(.inputUnusable, "\(rule), but was \(found)")
  }
}
