import MIDIFile
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct TickOrderTests {
  private typealias Event = StandardMIDIFile.Event

  private func on(_ tick: Int64, _ key: UInt8, channel: UInt8 = 0) -> Event {
    .init(tick: tick, .channel(.init(.noteOn, channel: channel, key, 100)))
  }

  private func off(_ tick: Int64, _ key: UInt8, channel: UInt8 = 0) -> Event {
    .init(tick: tick, .channel(.init(.noteOff, channel: channel, key, 64)))
  }

  private func program(_ tick: Int64, _ program: UInt8, channel: UInt8 = 0) -> Event {
    .init(tick: tick, .channel(.init(.programChange, channel: channel, program)))
  }

  private func control(_ tick: Int64, _ number: UInt8, _ value: UInt8) -> Event {
    .init(tick: tick, .channel(.init(.controlChange, channel: 0, number, value)))
  }

  private static let reset: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41]

  private func timeline(_ tracks: [Event]...) throws -> Timeline {
    try StandardMIDIFile(
      format: .simultaneous, division: .ticksPerQuarter(480), tracks: tracks.map { .init($0) }
    ).timeline(sampleRate: 48_000)
  }

  /// Returns the messages at the last tick, as `on 60`, `off 60`, `program 5` and so on, with their tracks.
  private func lastTick(_ timeline: Timeline) -> [String] {
    let last = timeline.events.last?.frame
    return timeline.events.filter { $0.frame == last }.map { event in
      guard case .channel(let message) = event.message else { return "\(event.track) sysex" }
      let name =
        message.startsNote ? "on" : message.endsNote ? "off" : "\(message.kind)"
      return "\(event.track) \(name) \(message.data1)"
    }
  }

  @Test func `SysEx messages with a wrong checksum are obeyed and reported`() throws {
    let wrong = Self.reset.dropLast() + [0x42]
    let song = try timeline(
      [.init(tick: 0, .sysEx(Self.reset))],
      [.init(tick: 5, .sysEx(Array(wrong))), .init(tick: 9, .sysEx(Array(wrong)))])
    #expect(song.repairs == [Repair(.tick(5, track: 1), .sysExChecksum(count: 2))])
    #expect(song.events.count == 3)
  }

  @Test func `a note-off of an earlier note precedes the note-on of its key`() throws {
    let song = try timeline([on(0, 69), on(480, 69), off(480, 69)])
    #expect(lastTick(song) == ["0 off 69", "0 on 69"])
    #expect(
      song.repairs == [Repair(.tick(480, track: 0), .noteOffAfterNoteOn(count: 1))])
  }

  @Test func `a note-off of another track's channel precedes the note-on of its key`() throws {
    let song = try timeline([on(480, 69)], [on(0, 69), off(480, 69)])
    #expect(lastTick(song) == ["1 off 69", "0 on 69"])
  }

  @Test func `every note-on of a key follows the ends of all earlier notes of the key`() throws {
    let song = try timeline([on(0, 69), on(1, 69), on(480, 69), off(480, 69), off(480, 69)])
    #expect(lastTick(song) == ["0 off 69", "0 off 69", "0 on 69"])
    #expect(song.repairs.map(\.kind) == [.noteOffAfterNoteOn(count: 2)])
  }

  @Test func `a note without length stays one`() throws {
    let alone = try timeline([on(480, 69), off(480, 69)])
    #expect(lastTick(alone) == ["0 on 69", "0 off 69"])
    let afterNote = try timeline([on(0, 69), off(480, 69), on(480, 69), off(480, 69)])
    #expect(lastTick(afterNote) == ["0 off 69", "0 on 69", "0 off 69"])
    let inOtherTrack = try timeline([on(0, 69)], [on(480, 69), off(480, 69)])
    #expect(lastTick(inOtherTrack) == ["1 on 69", "1 off 69"])
    for song in [alone, afterNote, inOtherTrack] { #expect(song.repairs.isEmpty) }
  }

  @Test func `note-offs of other keys and channels keep their places, as legato needs`() throws {
    let song = try timeline([
      on(0, 60), on(0, 69, channel: 1), on(480, 69), off(480, 60), off(480, 69, channel: 1),
    ])
    #expect(lastTick(song) == ["0 on 69", "0 off 60", "0 off 69"])
    #expect(song.repairs.isEmpty)
  }

  @Test func `settings in a later track precede the notes of their channel`() throws {
    let song = try timeline(
      [on(480, 60), on(480, 61, channel: 1)],
      [control(480, 0, 8), program(480, 5), program(480, 6, channel: 1)])
    #expect(
      lastTick(song) == [
        "1 controlChange 0", "1 programChange 5", "0 on 60", "1 programChange 6", "0 on 61",
      ])
    #expect(song.repairs == [Repair(.tick(480, track: 1), .settingAfterNote(count: 3))])
  }

  @Test func `a track's own order stays`() throws {
    let own = try timeline([on(480, 60), program(480, 5)])
    #expect(lastTick(own) == ["0 on 60", "0 programChange 5"])
    // The program is for what follows the track's own note, so it is no setting for the other track's.
    let other = try timeline([on(480, 60)], [on(480, 64), program(480, 5)])
    #expect(lastTick(other) == ["0 on 60", "1 on 64", "1 programChange 5"])
    for song in [own, other] { #expect(song.repairs.isEmpty) }
  }

  @Test func `a pedal that goes down after a note's end does not hold the note`() throws {
    let song = try timeline([on(480, 60)], [on(0, 64), off(480, 64), control(480, 64, 127)])
    #expect(lastTick(song) == ["1 off 64", "1 controlChange 64", "0 on 60"])
  }

  @Test func `key pressure keeps its place, because it belongs to a note`() throws {
    let song = try timeline(
      [on(480, 60)], [.init(tick: 480, .channel(.init(.keyPressure, channel: 0, 60, 1)))])
    #expect(lastTick(song) == ["0 on 60", "1 keyPressure 60"])
  }

  @Test func `a reset in a later track precedes all other tracks, and other SysEx their notes`()
    throws
  {
    let reset = Event(tick: 0, .sysEx(Self.reset))
    let other = Event(tick: 0, .sysEx([0x7D, 1]))
    let song = try timeline([program(0, 5), on(0, 60)], [reset, other, program(0, 6, channel: 1)])
    #expect(
      lastTick(song) == ["1 sysex", "0 programChange 5", "1 sysex", "0 on 60", "1 programChange 6"])
    let second = try timeline([reset, program(0, 5)], [reset, program(0, 6, channel: 1)])
    #expect(
      lastTick(second) == ["0 sysex", "1 sysex", "0 programChange 5", "1 programChange 6"])
  }

  @Test func `the bytes of SysEx stay with their message`() throws {
    let song = try timeline(
      [.init(tick: 0, .sysEx([1, 2])), on(0, 60)], [.init(tick: 0, .sysEx([3]))])
    let bytes = song.events.compactMap { event -> [UInt8]? in
      if case .sysEx(let range) = event.message { Array(song.bytes(of: range)) } else { nil }
    }
    #expect(bytes == [[1, 2], [3]])
  }

  @Test func `the sequences of format 2 hold their own notes`() throws {
    let song = try StandardMIDIFile(
      format: .sequential, division: .ticksPerQuarter(480),
      tracks: [.init([on(0, 60)]), .init([on(0, 60), off(0, 60)])]
    ).timeline(sampleRate: 48_000)
    #expect(lastTick(song) == ["0 on 60", "1 on 60", "1 off 60"])
  }

  @Test func `ten thousand messages on one tick are ordered at once`() throws {
    let notes = (0..<10_000).map { on(480, UInt8($0 % 128)) }
    let settings = (0..<10_000).map { control(480, 7, UInt8($0 % 128)) }
    let began = ContinuousClock.now
    let song = try timeline(notes, settings)
    #expect(song.repairs.map(\.kind) == [.settingAfterNote(count: 10_000)])
    // Quadratic time would be minutes in a debug build.
    #expect(ContinuousClock.now - began < .seconds(20))
  }
}
