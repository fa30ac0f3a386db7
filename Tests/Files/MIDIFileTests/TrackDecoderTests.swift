import MIDIFile
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct TrackDecoderTests {
  typealias Event = StandardMIDIFile.Event

  private func message(_ bytes: UInt8...) -> StandardMIDIFile.Content {
    .channel(
      ChannelMessage(status: bytes[0], data1: bytes[1], data2: bytes.count > 2 ? bytes[2] : 0)!)
  }

  @Test func `reads a message of every kind`() throws {
    let file = try file([
      0x00, 0x93, 0x3C, 0x64,  // note-on, channel 3, key 60, velocity 100
      0x0A, 0xA3, 0x3C, 0x10,  // key pressure, 10 ticks later
      0x00, 0xB3, 0x07, 0x7F,  // controller 7, volume
      0x00, 0xC3, 0x28,  // program 40: one data byte
      0x00, 0xD3, 0x11,  // channel pressure: one data byte
      0x00, 0xE3, 0x00, 0x40,  // pitch bend at rest
      0x81, 0x00, 0x83, 0x3C, 0x00,  // note-off, 128 ticks later
    ])
    #expect(
      file.contents == [
        message(0x93, 60, 100), message(0xA3, 60, 16), message(0xB3, 7, 127), message(0xC3, 40),
        message(0xD3, 17), message(0xE3, 0, 64), message(0x83, 60, 0),
      ])
    #expect(file.tracks[0].events.map(\.tick) == [0, 10, 10, 10, 10, 10, 138])
    #expect(file.tracks[0].endTick == 138)
    #expect(file.repairs.isEmpty)
  }

  @Test func `repeats the last status if none is given`() throws {
    let file = try file([
      0x00, 0x90, 0x3C, 0x64,  // note-on
      0x05, 0x3C, 0x00,  // running status: note-on, velocity 0
      0x00, 0xC1, 0x05,  // program
      0x00, 0x06,  // running status with one data byte
    ])
    #expect(
      file.contents == [
        message(0x90, 60, 100), message(0x90, 60, 0), message(0xC1, 5), message(0xC1, 6),
      ])
    #expect(file.repairs.isEmpty)
  }

  @Test func `continues running status after meta events and SysEx, and reports that once`() throws
  {
    let file = try file([
      0x00, 0x90, 0x3C, 0x64,  // bytes 22…25
      0x00, 0xFF, 0x01, 0x00,  // an empty text: running status ends here
      0x00, 0x3C, 0x00,  // byte 31: running status is used again nevertheless
      0x00, 0xF0, 0x01, 0xF7,  // an empty SysEx
      0x00, 0x40, 0x64,  // and once more
    ])
    #expect(
      file.contents.filter { if case .channel = $0 { true } else { false } } == [
        message(0x90, 60, 100), message(0x90, 60, 0), message(0x90, 64, 100),
      ])
    #expect(file.repairs == [Repair(offset: 31, .runningStatusAfterMeta)])
  }

  @Test func `ignores the rest of a track after data without a status`() throws {
    let file = try StandardMIDIFile(
      decoding: header(1, tracks: 2)
        + chunk([0x00, 0x3C, 0x40] + note(60) + end)  // byte 23 is not a status byte
        + chunk(note(62) + end))
    #expect(file.tracks.map(\.events.count) == [0, 2])
    #expect(file.repairs == [Repair(offset: 23, .noStatus(byte: 0x3C))])
  }

  @Test func `reads data bytes above 7F as 7F and continues at the next event`() throws {
    let file = try file([
      0x00, 0x90, 0x3C, 0x80,  // velocity 128
      0x00, 0xC0, 0xFF,  // program 255
      0x00, 0x90, 0x3C, 0x01,
    ])
    #expect(file.contents == [message(0x90, 60, 127), message(0xC0, 127), message(0x90, 60, 1)])
    #expect(
      file.repairs == [
        Repair(offset: 25, .dataByteTooLarge(0x80)), Repair(offset: 28, .dataByteTooLarge(0xFF)),
      ])
  }

  @Test func `reads a delta time of more than four bytes if its value is not too large`() throws {
    let file = try file([0x80, 0x80, 0x80, 0x80, 0x81, 0x00, 0x90, 0x3C, 0x64])
    #expect(file.tracks[0].events.map(\.tick) == [128])
    #expect(file.repairs == [Repair(offset: 22, .quantityTooLong(byteCount: 6))])
  }

  @Test func `ignores the rest of a track after a quantity above 28 bits`() throws {
    let file = try file(note(60) + [0x81, 0x80, 0x80, 0x80, 0x00, 0x90, 0x3C, 0x64])
    #expect(file.contents.count == 2)
    #expect(file.tracks[0].endTick == 96)
    #expect(file.repairs == [Repair(offset: 30, .quantityTooLarge)])
  }

  @Test func `skips system messages with their data bytes`() throws {
    let file = try file([
      0x01, 0xF1, 0x11,  // quarter frame: one data byte
      0x01, 0xF2, 0x11, 0x22,  // song position: two
      0x01, 0xF3, 0x11,  // song select: one
      0x01, 0xF6,  // tune request: none
      0x01, 0xFE,  // active sensing: none
      0x01, 0x90, 0x3C, 0x64,
    ])
    #expect(file.tracks[0].events == [Event(tick: 6, message(0x90, 60, 100))])
    #expect(
      file.repairKinds == [0xF1, 0xF2, 0xF3, 0xF6, 0xFE].map { .systemMessage(status: $0) })
    #expect(file.repairs.map(\.offset) == [22, 25, 29, 32, 34])
  }

  @Test func `keeps unknown meta events`() throws {
    let file = try file([
      0x00, 0xFF, 0x00, 0x02, 0x00, 0x07,  // sequence number
      0x00, 0xFF, 0x20, 0x01, 0x05,  // channel prefix
      0x00, 0xFF, 0x21, 0x01, 0x02,  // port prefix
      0x00, 0xFF, 0x54, 0x05, 0x60, 0x00, 0x00, 0x00, 0x00,  // SMPTE offset
      0x00, 0xFF, 0x7F, 0x03, 0x00, 0x00, 0x41,  // sequencer-specific
      0x00, 0xFF, 0x60, 0x00,  // an unknown type
    ])
    #expect(
      file.contents == [
        .meta(MetaEvent(type: 0x00, data: [0, 7])), .meta(MetaEvent(type: 0x20, data: [5])),
        .meta(MetaEvent(type: 0x21, data: [2])),
        .meta(MetaEvent(type: 0x54, data: [0x60, 0, 0, 0, 0])),
        .meta(MetaEvent(type: 0x7F, data: [0, 0, 0x41])), .meta(MetaEvent(type: 0x60, data: [])),
      ])
    #expect(file.repairs.isEmpty)
  }

  @Test func `reports a meta event with invalid data, and keeps it`() throws {
    let file = try file([
      0x00, 0xFF, 0x51, 0x03, 0x00, 0x00, 0x00,  // a tempo of zero
      0x00, 0xFF, 0x58, 0x02, 0x04, 0x02,  // half a time signature
    ])
    #expect(file.contents.count == 2)
    #expect(
      file.repairs == [
        Repair(offset: 22, .malformedMeta(type: 0x51, byteCount: 3)),
        Repair(offset: 29, .malformedMeta(type: 0x58, byteCount: 2)),
      ])
  }

  @Test func `ignores a meta event of a type above 7F`() throws {
    let file = try file([0x03, 0xFF, 0x80, 0x01, 0x55] + note(60))
    #expect(file.tracks[0].events.map(\.tick) == [3, 99])
    #expect(file.repairs == [Repair(offset: 22, .metaType(0x80))])
  }

  @Test func `ends at the tick of the end of track, not of the last event`() throws {
    let file = try StandardMIDIFile(
      decoding: header(0) + chunk([0x00, 0xC0, 0x01, 0x60, 0xFF, 0x2F, 0x00]))
    #expect(file.tracks[0].endTick == 96)
    #expect(file.contents.count == 1)
  }

  /// Tries every way to truncate a track, including cuts between two events.
  @Test func `keeps the whole events of a track that ends inside one`() throws {
    let events: [UInt8] =
      note(60) + [0x00, 0xFF, 0x01, 0x02, 0x41, 0x42] + [0x00, 0xF0, 0x03, 0x7E, 0x01, 0xF7]
      + [0x81, 0x00, 0xE0, 0x00, 0x40]
    let ends = [0: 0, 4: 1, 8: 2, 14: 3, 20: 4, 25: 5]
    var whole = 0
    for length in 0..<events.count {
      whole = ends[length] ?? whole
      let file = try StandardMIDIFile(decoding: header(0) + chunk(Array(events[..<length])))
      #expect(file.contents.count == whole, "cut at \(length)")
      let cut: [Repair.Kind] = ends[length] == nil ? [.cutInsideEvent] : []
      #expect(file.repairKinds == cut + [.missingEndOfTrack], "cut at \(length)")
    }
  }
}
