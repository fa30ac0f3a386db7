import MIDIFile
import Testing

@Suite(.timeLimit(.minutes(5))) struct DecodingErrorTests {
  typealias DecodingError = StandardMIDIFile.DecodingError

  private func error(_ bytes: [UInt8]) -> DecodingError? {
    do throws(DecodingError) {
      _ = try StandardMIDIFile(decoding: bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func `refuses an empty file`() {
    #expect(error([]) == .empty)
  }

  @Test func `refuses a file without a header`() {
    #expect(error(Array("RIFF\0\0\0\0WAVEfmt ".utf8)) == .noHeader(searched: 16))
    #expect(error(chunk(note(60) + end)) == .noHeader(searched: 20))
  }

  @Test func `refuses a header that is cut at any byte`() {
    for length in 4..<14 {
      #expect(
        error(Array(header(0)[..<length])) == .headerCut(offset: 0, found: length))
    }
  }

  @Test func `refuses a header whose length is too short`() {
    var bytes = [0x55] + header(0) + chunk(end)
    bytes[8] = 5
    #expect(error(bytes) == .headerTooShort(offset: 1, length: 5))
  }

  @Test func `refuses a division of 0`() {
    #expect(error(header(0, division: [0, 0]) + chunk(end)) == .zeroDivision(offset: 12))
    #expect(error(header(0, division: [0xE7, 0]) + chunk(end)) == .zeroDivision(offset: 12))
  }

  @Test func `refuses time code of an unknown rate`() {
    #expect(
      error(header(0, division: [0x80, 4]) + chunk(end))
        == .unknownFrameRate(offset: 12, value: 128))
    #expect(
      error(header(0, division: [0xE4, 4]) + chunk(end))
        == .unknownFrameRate(offset: 12, value: 28))
  }

  @Test func `refuses a file without a track`() {
    #expect(error(header(1, tracks: 0)) == .noTracks(offset: 14))
    #expect(error(header(1) + chunk([1, 2, 3], name: "XFIH")) == .noTracks(offset: 14))
    #expect(error(header(1) + Array("MTrk\0\0\0".utf8)) == .noTracks(offset: 14))
  }

  @Test(
    arguments: [
      (.empty, 0, "the file is empty"),
      (.noHeader(searched: 9), 0, "\"MThd\" in its first 9 bytes"),
      (.headerCut(offset: 3, found: 7), 3, "at byte 3: 14 bytes are needed, 7 are left"),
      (
        .headerTooShort(offset: 3, length: 5), 3,
        "must be at least 6 bytes long, but its length field is 5"
      ),
      (.zeroDivision(offset: 12), 12, "at byte 12 is zero"),
      (
        .unknownFrameRate(offset: 12, value: 23), 12,
        "24, 25, 29 or 30 frames per second, but was 23"
      ),
      (.noTracks(offset: 14), 14, "from byte 14 on"),
    ] as [(DecodingError, Int, String)])
  func `states the position, the value found and the expected one`(
    error: DecodingError, offset: Int, part: String
  ) {
    #expect(error.offset == offset)
    #expect(error.description.contains(part), "\(error)")
  }
}
