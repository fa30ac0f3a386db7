import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct SystemMessageTests {
  @Test func `ten status bytes are system messages, and all others are refused`() {
    let known = (UInt8(0)...255).filter { SystemMessage.dataCount(ofStatus: $0) != nil }
    #expect(known == [0xF1, 0xF2, 0xF3, 0xF6, 0xF8, 0xFA, 0xFB, 0xFC, 0xFE, 0xFF])
    for status in UInt8(0)...255 {
      #expect((SystemMessage(status: status) != nil) == known.contains(status))
    }
  }

  @Test func `data bytes that a message does not have are 0`() throws {
    let clock = try #require(SystemMessage(status: 0xF8, data1: 1, data2: 2))
    #expect(clock == .clock)
    let song = try #require(SystemMessage(status: 0xF3, data1: 5, data2: 7))
    #expect((song.data1, song.data2) == (5, 0))
  }

  @Test func `data bytes above 127 are refused`() {
    #expect(SystemMessage(status: 0xF2, data1: 0x80) == nil)
    #expect(SystemMessage(status: 0xF2, data1: 0, data2: 0x80) == nil)
  }

  @Test(arguments: [0, 1, 127, 128, 16_383])
  func `a song position is written low bits first`(beats: Int) throws {
    let message = try #require(SystemMessage.songPosition(beats))
    #expect(Int(message.data1) + Int(message.data2) << 7 == beats)
  }

  @Test(arguments: [-1, 16_384]) func `a song position out of range is refused`(beats: Int) {
    #expect(SystemMessage.songPosition(beats) == nil)
  }
}
