import MIDIFile
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct SongPortsTests {
  private typealias Event = StandardMIDIFile.Event

  private func note(_ tick: Int64, _ key: UInt8 = 60) -> Event {
    .init(tick: tick, .channel(.init(.noteOn, channel: 0, key, 100)))
  }

  private func port(_ number: UInt8, at tick: Int64 = 0) -> Event {
    .init(tick: tick, .meta(.port(number)))
  }

  private func device(_ name: String, at tick: Int64 = 0) -> Event {
    .init(tick: tick, .meta(.text(name, .deviceName)))
  }

  private func timeline(_ tracks: [Event]...) throws -> Timeline {
    try StandardMIDIFile(
      format: .simultaneous, division: .ticksPerQuarter(480), tracks: tracks.map { .init($0) }
    ).timeline(sampleRate: 48_000)
  }

  /// Returns the port of each event, in the order of ticks and tracks.
  private func ports(_ timeline: Timeline) -> [UInt8] { timeline.events.map(\.port) }

  @Test func `sparse numbers are packed in ascending order, and names follow in file order`() throws
  {
    let song = try timeline(
      [device("B"), note(0)], [port(7), note(0)], [device("A"), note(0)], [port(2), note(0)],
      [device("B"), note(0)])
    #expect(ports(song) == [2, 1, 3, 0, 2])
    #expect(
      song.ports == [
        .init(number: 2), .init(number: 7), .init(name: "B"), .init(name: "A"),
      ])
  }

  @Test func `the first port of a track applies from its start, and later ones from their place`()
    throws
  {
    let song = try timeline([note(0), port(3, at: 10), note(10), port(5, at: 20), note(20)])
    #expect(ports(song) == [0, 0, 1])
  }

  @Test func `a number applies to the tracks after it, and tracks before it have port 0`() throws {
    let song = try timeline(
      [note(0)], [port(4), note(0)], [note(0)], [port(2), note(0)], [note(0)])
    #expect(ports(song) == [0, 2, 2, 1, 1])
    #expect(song.ports.map(\.number) == [0, 2, 4])
  }

  @Test func `a device applies to its own track`() throws {
    let song = try timeline([note(0)], [device("X"), note(0)], [note(0)])
    #expect(ports(song) == [0, 1, 0])
  }

  @Test func `ports without notes do not count, and their SysEx goes to the first port`() throws {
    let song = try timeline(
      [port(0), .init(tick: 0, .sysEx([0x7D]))], [port(3), note(0)], [port(5), note(0)])
    #expect(ports(song) == [0, 0, 1])
    #expect(song.ports == [.init(number: 3), .init(number: 5)])
  }

  @Test func `a reset also reaches the ports that have none of their own`() throws {
    let reset = Event(tick: 0, .sysEx([0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00]))
    let song = try timeline([port(0), reset], [port(0), note(1)], [port(1), note(1)])
    #expect(song.events.filter(\.isSysEx).map(\.port) == [0, 1])
    let own = try timeline([port(0), reset, note(1)], [port(1), reset, note(1)])
    #expect(own.events.filter(\.isSysEx).map(\.port) == [0, 1])
    let late = try timeline([port(0), note(0), .init(tick: 9, reset.content)], [port(1), note(1)])
    #expect(late.events.filter(\.isSysEx).map(\.port) == [0])
    // Other messages stay on their port.
    let volume = Event(tick: 0, .sysEx([0x7F, 0x7F, 0x04, 0x01, 0, 64]))
    let other = try timeline([port(0), volume, note(1)], [port(1), note(1)])
    #expect(other.events.filter(\.isSysEx).map(\.port) == [0])
  }

  @Test func `the number of a track names its port, whatever its device`() throws {
    let song = try timeline(
      [port(1), device("X"), note(0)], [port(1), device("Y"), note(0)], [port(2), note(0)])
    #expect(ports(song) == [0, 0, 1])
  }

  @Test func `a file with one port, or without any, has port 0`() throws {
    #expect(try ports(timeline([port(9), note(0)], [note(0)])) == [0, 0])
    #expect(try timeline([note(0)], [note(0)]).ports == [Timeline.Port()])
    #expect(try timeline([]).ports == [Timeline.Port()])
  }

  @Test func `notes inside an escape count`() throws {
    let song = try timeline(
      [port(1), .init(tick: 0, .escape([0x90, 60, 100]))], [port(2), note(0)])
    #expect(ports(song) == [0, 1])
  }

  @Test func `256 ports are supported, and more are refused with both numbers`() throws {
    let tracks = (0..<257).map { StandardMIDIFile.Track([device("\($0)"), note(0)]) }
    func song(_ count: Int) -> StandardMIDIFile {
      StandardMIDIFile(
        format: .simultaneous, division: .ticksPerQuarter(480), tracks: Array(tracks[..<count]))
    }
    #expect(try ports(song(256).timeline(sampleRate: 48_000)) == Array(0...255))
    let error = #expect(throws: TimelineError.self) { try song(257).timeline(sampleRate: 48_000) }
    #expect(
      error?.description.contains("256") == true && error?.description.contains("257") == true)
  }

  @Test func `a note-off precedes the note-on of its key on its own port only`() throws {
    let song = try timeline(
      [port(0), note(480)],
      [port(1), note(0), .init(tick: 480, .channel(.init(.noteOff, channel: 0, 60, 64)))])
    #expect(song.events.map(\.track) == [1, 0, 1])
    #expect(song.repairs.isEmpty)
  }
}

extension Timeline.Event {
  fileprivate var isSysEx: Bool {
    if case .sysEx = message { true } else { false }
  }
}
