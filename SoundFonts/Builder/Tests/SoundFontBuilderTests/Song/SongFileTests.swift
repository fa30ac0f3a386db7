import Testing

@testable import SoundFontBuilder

@Suite(.timeLimit(.minutes(5))) struct SongFileTests {
  @Test func `variable lengths are those of the standard's table`() {
    // RP-001, "Some examples of numbers represented as variable-length quantities".
    #expect(SongFile.variableLength(0) == [0])
    #expect(SongFile.variableLength(0x7f) == [0x7f])
    #expect(SongFile.variableLength(0x80) == [0x81, 0])
    #expect(SongFile.variableLength(0x2000) == [0xc0, 0])
    #expect(SongFile.variableLength(0x0fff_ffff) == [0xff, 0xff, 0xff, 0x7f])
  }

  @Test func `events are sorted by tick and keep their order on one tick`() {
    var file = SongFile()
    file.tracks = [
      [.init(tick: 200, bytes: [1]), .init(tick: 0, bytes: [2]), .init(tick: 0, bytes: [3])]
    ]
    let header: [UInt8] = [0, 0, 0, 6, 0, 1, 0, 1, 3, 0xc0]
    let track: [UInt8] = [0, 0, 0, 11, 0, 2, 0, 3, 0x81, 0x48, 1, 0, 0xff, 0x2f, 0]
    #expect(file.bytes() == Array("MThd".utf8) + header + Array("MTrk".utf8) + track)
  }
}
