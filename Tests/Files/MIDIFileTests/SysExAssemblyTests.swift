import MIDIFile
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct SysExAssemblyTests {
  typealias Event = StandardMIDIFile.Event

  @Test func `keeps a message without its F0 and F7`() throws {
    // General MIDI System On: F0 7E 7F 09 01 F7; the length counts all bytes except F0.
    let file = try file([0x05, 0xF0, 0x05, 0x7E, 0x7F, 0x09, 0x01, 0xF7])
    #expect(file.tracks[0].events == [Event(tick: 5, .sysEx([0x7E, 0x7F, 0x09, 0x01]))])
    #expect(file.repairs.isEmpty)
  }

  @Test func `joins packets into one message at the tick of the last`() throws {
    // The example of RP-001, "Sysex Events", with a lyric between the packets.
    let file = try file([
      0x00, 0xF0, 0x03, 0x43, 0x12, 0x00,  // first packet: no F7
      0x81, 0x48, 0xF7, 0x06, 0x43, 0x12, 0x00, 0x43, 0x12, 0x00,  // second, 200 ticks later
      0x00, 0xFF, 0x05, 0x01, 0x6C,  // a lyric
      0x64, 0xF7, 0x04, 0x43, 0x12, 0x00, 0xF7,  // last, 100 ticks later, with F7
    ])
    #expect(
      file.tracks[0].events == [
        Event(tick: 200, .meta(MetaEvent(type: 5, data: [0x6C]))),
        Event(tick: 300, .sysEx([0x43, 0x12, 0, 0x43, 0x12, 0, 0x43, 0x12, 0, 0x43, 0x12, 0])),
      ])
    #expect(file.repairs.isEmpty)
  }

  @Test func `reads an F7 event that continues nothing as an escape`() throws {
    let file = try file([0x00, 0xF7, 0x02, 0xF3, 0x01, 0x00, 0xF7, 0x00])
    #expect(file.contents == [.escape([0xF3, 0x01]), .escape([])])
    #expect(file.repairs.isEmpty)
  }

  @Test(
    arguments: [
      [0x01, 0x90, 0x3C, 0x64],  // a channel message
      [0x01, 0xF0, 0x02, 0x11, 0xF7],  // another SysEx message
      [],  // the end of the track
    ] as [[UInt8]])
  func `ends a message without F7 where its last packet is`(next: [UInt8]) throws {
    let file = try file(
      [0x05, 0xF0, 0x01, 0x7E, 0x05, 0xF7, 0x01, 0x09] + [0x05, 0xFF, 0x01, 0x00] + next)
    #expect(file.tracks[0].events[0] == Event(tick: 10, .sysEx([0x7E, 0x09])))
    #expect(file.tracks[0].events[1].tick == 15)
    #expect(file.repairs == [Repair(offset: 22, .unterminatedSysEx)])
  }

  @Test func `does not continue a message that a channel message has ended`() throws {
    let file = try file([0x00, 0xF0, 0x01, 0x7E, 0x01, 0xC0, 0x05, 0x01, 0xF7, 0x02, 0x09, 0xF7])
    #expect(
      file.tracks[0].events == [
        Event(tick: 0, .sysEx([0x7E])),
        Event(tick: 1, .channel(ChannelMessage(.programChange, channel: 0, 5))),
        Event(tick: 2, .escape([0x09, 0xF7])),
      ])
    #expect(file.repairs == [Repair(offset: 22, .unterminatedSysEx)])
  }

  @Test func `ignores bytes after F7 in a packet`() throws {
    let file = try file([0x00, 0xF0, 0x04, 0x7E, 0xF7, 0x01, 0x02])
    #expect(file.contents == [.sysEx([0x7E])])
    #expect(file.repairs == [Repair(offset: 27, .bytesAfterSysEx(byteCount: 2))])
  }

  @Test func `ignores status bytes inside a message`() throws {
    let file = try file([0x00, 0xF0, 0x05, 0x7E, 0xF8, 0x01, 0x90, 0xF7])
    #expect(file.contents == [.sysEx([0x7E, 0x01])])
    #expect(file.repairs == [Repair(offset: 25, .statusInsideSysEx(byteCount: 2))])
  }

  @Test func `ignores a packet that the end of the track cuts, and keeps the ones before`() throws {
    let bytes =
      header(0) + chunk([0x00, 0xF0, 0x01, 0x7E] + [0x05, 0xF7, 0x09, 0x01, 0x02])
    let file = try StandardMIDIFile(decoding: bytes)
    #expect(file.tracks[0].events == [Event(tick: 0, .sysEx([0x7E]))])
    #expect(file.repairKinds == [.unterminatedSysEx, .cutInsideEvent, .missingEndOfTrack])
    let alone = try StandardMIDIFile(decoding: header(0) + chunk([0x05, 0xF0, 0x09, 0x01]))
    #expect(alone.contents.isEmpty)
  }
}
