import MIDIFile
import Testing

@Suite(.timeLimit(.minutes(5))) struct DecodingTests {
  private func decode(_ bytes: [UInt8]) throws -> StandardMIDIFile {
    try StandardMIDIFile(decoding: bytes)
  }

  @Test func `reads a whole file, byte for byte`() throws {
    let file = try decode([
      0x4D, 0x54, 0x68, 0x64,  // "MThd"
      0x00, 0x00, 0x00, 0x06,  // six bytes follow
      0x00, 0x01,  // format 1
      0x00, 0x02,  // two tracks
      0x00, 0x60,  // 96 ticks per quarter note
      0x4D, 0x54, 0x72, 0x6B,  // "MTrk"
      0x00, 0x00, 0x00, 0x0B,  // eleven bytes follow
      0x00, 0xFF, 0x51, 0x03, 0x07, 0xA1, 0x20,  // 500 000 µs per quarter note
      0x00, 0xFF, 0x2F, 0x00,  // end of track
      0x4D, 0x54, 0x72, 0x6B,  // "MTrk"
      0x00, 0x00, 0x00, 0x0C,  // twelve bytes follow
      0x00, 0x90, 0x3C, 0x64,  // note-on
      0x60, 0x80, 0x3C, 0x40,  // note-off 96 ticks later
      0x00, 0xFF, 0x2F, 0x00,  // end of track
    ])
    #expect(file.format == .simultaneous)
    #expect(file.division == .ticksPerQuarter(96))
    #expect(file.tracks.map(\.events.count) == [1, 2])
    #expect(file.tracks.map(\.endTick) == [0, 96])
    #expect(file.repairs.isEmpty)
  }

  @Test(
    arguments: [
      ([0xE8, 0x04], .timeCode(.fps24, ticksPerFrame: 4)),
      ([0xE7, 0x28], .timeCode(.fps25, ticksPerFrame: 40)),
      ([0xE3, 0x50], .timeCode(.fps29Drop, ticksPerFrame: 80)),
      ([0xE2, 0xFF], .timeCode(.fps30, ticksPerFrame: 255)),
      ([0x00, 0x01], .ticksPerQuarter(1)),
      ([0x7F, 0xFF], .ticksPerQuarter(32_767)),
    ] as [([UInt8], Division)])
  func `reads every kind of division`(bytes: [UInt8], division: Division) throws {
    #expect(try file([], division: bytes).division == division)
  }

  @Test func `reads bytes from a pointer`() throws {
    let bytes = header(0) + chunk(note(60) + end)
    let file = try bytes.withUnsafeBytes { try StandardMIDIFile(decoding: $0) }
    #expect(try file == decode(bytes))
  }

  @Test func `skips the unknown part of a longer header`() throws {
    var bytes = header(0)
    bytes[7] = 8
    let file = try decode(bytes + [0xAA, 0xBB] + chunk(note(60) + end))
    #expect(file.contents.count == 2)
    #expect(file.repairs.isEmpty)
  }

  @Test func `reads the data chunk of a RIFF file`() throws {
    let smf = header(0) + chunk(note(60) + end)
    let info: [UInt8] = Array("LIST".utf8) + [3, 0, 0, 0] + [1, 2, 3] + [0]  // odd size, so padded
    let data = Array("data".utf8) + [UInt8(smf.count), 0, 0, 0] + smf
    let riff = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("RMID".utf8) + info + data
    let trailer: [UInt8] = Array("DISP".utf8) + [2, 0, 0, 0, 1, 2]
    let file = try decode(riff + trailer)
    #expect(try file == decode(smf))
    #expect(file.repairs.isEmpty)
  }

  @Test func `reads a RIFF data chunk whose length is too long`() throws {
    let smf = header(0) + chunk(note(60) + end)
    let data: [UInt8] = Array("data".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + smf
    let file = try decode(Array("RIFF\0\0\0\0RMID".utf8) + data)
    #expect(try file == decode(smf))
    #expect(
      file.repairs == [
        Repair(offset: 16, .containerCut(announced: 0xFFFF_FFFF, found: smf.count))
      ])
  }

  @Test func `skips up to 4096 bytes of junk before the header`() throws {
    let smf = header(0) + chunk(note(60) + end)
    // MacBinary precedes a file with 128 bytes.
    for count in [1, 128, 4096] {
      let file = try decode(Array(repeating: 0x4D, count: count) + smf)
      #expect(try file == decode(smf))
      #expect(file.repairs == [Repair(offset: 0, .junkBeforeHeader(byteCount: count))])
    }
    #expect(throws: StandardMIDIFile.DecodingError.noHeader(searched: 4100)) {
      try decode(Array(repeating: 0x4D, count: 4097) + smf)
    }
  }

  @Test func `plays the tracks of an unknown format together`() throws {
    let file = try decode(header(3, tracks: 2) + chunk(note(60) + end) + chunk(note(62) + end))
    #expect(file.format == .simultaneous)
    #expect(file.repairs == [Repair(offset: 8, .unknownFormat(3))])
  }

  @Test func `plays several tracks of format 0 together`() throws {
    let file = try decode(header(0, tracks: 2) + chunk(note(60) + end) + chunk(note(62) + end))
    #expect(file.format == .simultaneous)
    #expect(file.tracks.count == 2)
    #expect(file.repairs == [Repair(offset: 8, .formatZeroWithTracks(count: 2))])
  }

  @Test(arguments: [0, 1, 3] as [UInt8])
  func `reads all tracks, whatever number the header states`(announced: UInt8) throws {
    let tracks = chunk(note(60) + end) + chunk(note(62) + end)
    let file = try decode(header(1, tracks: announced) + tracks)
    #expect(file.tracks.count == 2)
    #expect(
      file.repairs == [Repair(offset: 10, .trackCount(announced: Int(announced), found: 2))])
  }

  @Test func `allocates no more memory than the file has bytes, whatever it announces`() throws {
    // A track announces 4 GB, a text 256 MB, and a SysEx 256 MB.
    for event: [UInt8] in [
      [], [0, 0xFF, 1, 0xFF, 0xFF, 0xFF, 0x7F], [0, 0xF0, 0xFF, 0xFF, 0xFF, 0x7F],
    ] {
      let file = try decode(header(1) + chunk(event, length: 0xFFFF_FFFF))
      #expect(file.contents.isEmpty)
    }
  }
}
