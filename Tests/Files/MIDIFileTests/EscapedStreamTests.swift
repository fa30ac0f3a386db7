import RenderCore
import Testing

@testable import MIDIFile

@Suite(.timeLimit(.minutes(5))) struct EscapedStreamTests {
  private func messages(_ bytes: [UInt8]) -> [EscapedStream.Message] {
    var stream = EscapedStream(bytes)
    return Array(sequence(state: ()) { _ in stream.next() })
  }

  private let on = EscapedStream.Message.channel(ChannelMessage(.noteOn, channel: 0, 60, 1))
  private let off = EscapedStream.Message.channel(ChannelMessage(.noteOn, channel: 0, 60, 0))

  @Test func `reads channel messages and running status`() {
    #expect(messages([0x90, 60, 1, 60, 0]) == [on, off])
    let program = ChannelMessage(.programChange, channel: 1, 5)
    #expect(messages([0xC1, 5, 5]) == [.channel(program), .channel(program)])
  }

  @Test func `reads a whole SysEx without F0 and F7`() {
    #expect(messages([0xF0, 0x7E, 0x01, 0xF7, 0x90, 60, 1]) == [.sysEx(1..<3), on])
    #expect(messages([0xF0, 0xF7]) == [.sysEx(1..<1)])
  }

  @Test func `skips realtime messages between messages`() {
    #expect(messages([0xF8, 0x90, 0xFE, 60, 1, 0xFF, 60, 0]) == [on, off])
  }

  @Test func `skips system common messages, which end running status`() {
    #expect(messages([0x90, 60, 1, 0xF3, 0x01, 60, 0, 0xF6]) == [on])
  }

  @Test func `skips incomplete messages`() {
    #expect(messages([60, 1]).isEmpty)
    #expect(messages([0x90]).isEmpty)
    #expect(messages([0x90, 60]).isEmpty)
    #expect(messages([0xF0]).isEmpty)
    #expect(messages([0xF0, 0x7E]).isEmpty)
    #expect(messages([0x90, 60, 0x90, 60, 1]) == [on])
    #expect(messages([0xF0, 0x7E, 0x90, 60, 1]) == [on])
  }
}
