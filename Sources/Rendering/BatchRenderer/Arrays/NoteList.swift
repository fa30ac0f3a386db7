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

    package init(
      start: Double, end: Double, port: UInt8 = 0, channel: UInt8, key: UInt8, velocity: UInt8
    ) {
      (self.start, self.end, self.port) = (start, end, port)
      (self.channel, self.key, self.velocity) = (channel, key, velocity)
    }
  }

  package struct Message {
    let time: Double
    let port: UInt8
    let status: UInt8
    let data1: UInt8
    let data2: UInt8

    package init(time: Double, port: UInt8 = 0, status: UInt8, data1: UInt8, data2: UInt8) {
      (self.time, self.port) = (time, port)
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

  /// - Throws: ``Failure/Kind/inputUnusable`` for a value that is out of range.
  package func song() throws(Failure) -> StandardMIDIFile {
    var events: [(tick: Int64, rank: Int, port: UInt8, message: ChannelMessage)] = []
    events.reserveCapacity(2 * notes.count + messages.count)
    for (index, note) in notes.enumerated() {
      let name = "note \(index)"
      let start = try Self.tick(note.start, "the start of \(name)")
      let end = try Self.tick(note.end, "the end of \(name)")
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
      events.append(
        (start, 2, note.port, .init(.noteOn, channel: note.channel, note.key, note.velocity)))
      events.append((end, 0, note.port, .init(.noteOff, channel: note.channel, note.key, 64)))
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
      events.append((tick, 1, message.port, content))
    }
    let sorted = events.enumerated().sorted {
      ($0.element.tick, $0.element.rank, $0.offset) < ($1.element.tick, $1.element.rank, $1.offset)
    }
    let tempo = StandardMIDIFile.Event(tick: 0, .meta(.tempo(Self.microsecondsPerQuarter)))
    var present: UInt8 = 0
    let messages = sorted.flatMap { _, event -> [StandardMIDIFile.Event] in
      let message = StandardMIDIFile.Event(tick: event.tick, .channel(event.message))
      if event.port == present { return [message] }
      present = event.port
      return [.init(tick: event.tick, .meta(.port(present))), message]
    }
    // The first port of a track applies from its start.
    let hasPorts = messages.count > sorted.count
    let start = hasPorts ? [tempo, .init(tick: 0, .meta(.port(0)))] : [tempo]
    return StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(Self.ticksPerQuarter),
      tracks: [.init(start + messages)])
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
