import MIDIFile
import Testing

@Suite(.timeLimit(.minutes(5))) struct ChunkReaderTests {
  private func decode(_ bytes: [UInt8]) throws -> StandardMIDIFile {
    try StandardMIDIFile(decoding: bytes)
  }

  private let one = chunk(note(60) + end)
  private let other = chunk(note(62) + end)

  @Test func `skips chunks that are not tracks`() throws {
    let file = try decode(
      header(1, tracks: 2) + chunk([1, 2, 3], name: "XFIH") + one + chunk([], name: "abcd") + other
        + chunk(Array("MTrk".utf8), name: "XFKM"))
    #expect(file.tracks.count == 2)
    #expect(file.repairs.isEmpty)
  }

  @Test func `ends a track without end of track with its last event`() throws {
    let file = try decode(header(1, tracks: 2) + chunk(note(60)) + other)
    #expect(file.tracks.map(\.endTick) == [96, 96])
    #expect(file.repairs == [Repair(offset: 30, .missingEndOfTrack)])
  }

  @Test func `ignores bytes after the end of track within its chunk`() throws {
    let file = try decode(header(1, tracks: 2) + chunk(note(60) + end + [0, 0x90, 1, 2]) + other)
    #expect(file.tracks.map(\.events.count) == [2, 2])
    #expect(file.repairs == [Repair(offset: 34, .bytesAfterEndOfTrack(byteCount: 4))])
  }

  @Test func `reads a track whose length is too short to its end of track`() throws {
    for length in 0..<12 {
      let file = try decode(
        header(1, tracks: 2) + chunk(note(60) + end, length: length) + other)
      #expect(
        file.tracks == [
          try decode(header(0) + one).tracks[0], try decode(header(0) + other).tracks[0],
        ])
      #expect(file.repairs == [Repair(offset: 18, .trackLength(announced: length, found: 12))])
    }
  }

  @Test func `reads a track up to the next one if its length cuts an event and it has no end`()
    throws
  {
    let file = try decode(header(1, tracks: 2) + chunk(note(60), length: 3) + other)
    #expect(file.tracks.map(\.events.count) == [2, 2])
    #expect(
      file.repairs == [
        Repair(offset: 18, .trackLength(announced: 3, found: 8)),
        Repair(offset: 30, .missingEndOfTrack),
      ])
  }

  @Test func `does not read junk as events if the length is right`() throws {
    // With running status, these bytes could be two events.
    let file = try decode(header(1, tracks: 2) + chunk(note(60)) + [0, 0, 0, 0, 0, 0] + other)
    #expect(file.tracks.map(\.events.count) == [2, 2])
    #expect(
      file.repairs == [
        Repair(offset: 30, .missingEndOfTrack),
        Repair(offset: 30, .junkBetweenChunks(byteCount: 6)),
      ])
  }

  @Test func `does not read the next track as part of one without an end`() throws {
    // Read as events, "MTrk" would be notes in running status up to the next end of track.
    let file = try decode(
      header(1, tracks: 2) + chunk(note(60) + [0], length: 3)
        + chunk([0x00, 0xC0, 0x01] + note(62) + end))
    #expect(file.tracks.map(\.events.count) == [0, 3])
    #expect(
      file.repairKinds == [
        .cutInsideEvent, .missingEndOfTrack, .junkBetweenChunks(byteCount: 6),
      ])
  }

  @Test func `reads the track after one whose length is too long`() throws {
    for length in [13, 20, 25, 1000, 0xFFFF_FFFF] {
      let file = try decode(
        header(1, tracks: 2) + chunk(note(60) + end, length: length) + other)
      #expect(file.tracks.map(\.events.count) == [2, 2], "length \(length)")
      #expect(file.repairs == [Repair(offset: 18, .trackLength(announced: length, found: 12))])
    }
  }

  @Test func `reads the last track to the end of the file if its length is too long`() throws {
    let whole = try decode(header(0) + chunk(note(60) + end, length: 99))
    #expect(whole.repairs == [Repair(offset: 18, .trackLength(announced: 99, found: 12))])
    let cut = try decode(header(0) + chunk(note(60), length: 99))
    #expect(cut.contents.count == 2)
    #expect(
      cut.repairs == [
        Repair(offset: 18, .chunkCut(announced: 99, found: 8)),
        Repair(offset: 30, .missingEndOfTrack),
      ])
  }

  @Test func `reports where the end of the file cuts an event`() throws {
    let file = try decode(header(0) + chunk(note(60) + [0x05, 0x90, 0x40], length: 12))
    #expect(file.contents.count == 2)
    #expect(
      file.repairs == [
        Repair(offset: 18, .chunkCut(announced: 12, found: 11)),
        Repair(offset: 30, .cutInsideEvent), Repair(offset: 33, .missingEndOfTrack),
      ])
  }

  @Test func `finds the next track after junk`() throws {
    let file = try decode(header(1, tracks: 2) + one + [0, 1, 2] + other)
    #expect(file.tracks.count == 2)
    #expect(file.repairs == [Repair(offset: 34, .junkBetweenChunks(byteCount: 3))])
  }

  @Test func `finds the next track after a chunk whose length is too long`() throws {
    let file = try decode(
      header(1, tracks: 2) + one + chunk([1], length: 0xFFFF, name: "XFIH") + other)
    #expect(file.tracks.count == 2)
    #expect(file.repairs == [Repair(offset: 34, .junkBetweenChunks(byteCount: 9))])
  }

  @Test(arguments: [1, 7, 8, 500])
  func `skips what follows the last chunk`(count: Int) throws {
    let file = try decode(header(0) + one + Array(repeating: 0x00, count: count))
    #expect(file.contents.count == 2)
    #expect(file.repairs == [Repair(offset: 34, .junkAtEnd(byteCount: count))])
  }

  @Test func `does not read a chunk header that the end of the file cuts as a track`() throws {
    let file = try decode(header(0) + one + [0] + Array("MTrk\0\0\0".utf8))
    #expect(file.tracks.count == 1)
    #expect(file.repairs.map(\.offset) == [34])
  }

  @Test func `ignores a second file after the first`() throws {
    let file = try decode(header(0) + one + header(0) + other)
    #expect(file.tracks.count == 1)
    #expect(file.repairs == [Repair(offset: 34, .secondFile)])
  }

  @Test func `reads 65535 tracks and ignores the others`() throws {
    let tracks = Array(repeating: chunk(end), count: 65_537).flatMap { $0 }
    let file = try decode(header(1, tracks: 255) + tracks)
    #expect(file.tracks.count == 65_535)
    #expect(
      file.repairKinds == [.tooManyTracks, .trackCount(announced: 255, found: 65_535)])
  }
}
