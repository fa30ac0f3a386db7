import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct ChannelMessageTests {
  @Test func `accepts every status and data byte of a channel message, and no other`() {
    for status in UInt8.min...UInt8.max {
      let message = ChannelMessage(status: status, data1: 127, data2: 0)
      #expect((message != nil) == (0x80...0xEF).contains(status), "status \(status)")
    }
    for data in UInt8.min...UInt8.max {
      #expect((ChannelMessage(status: 0x90, data1: data, data2: 0) != nil) == (data < 128))
      #expect((ChannelMessage(status: 0x90, data1: 0, data2: data) != nil) == (data < 128))
    }
  }

  @Test(
    arguments: [
      (0x83, .noteOff), (0x9F, .noteOn), (0xA0, .keyPressure), (0xB1, .controlChange),
      (0xC2, .programChange), (0xDE, .channelPressure), (0xE7, .pitchBend),
    ] as [(UInt8, ChannelMessage.Kind)])
  func `divides the status into kind and channel`(status: UInt8, kind: ChannelMessage.Kind) {
    let message = ChannelMessage(status: status, data1: 1, data2: 0)!
    #expect(message.kind == kind)
    #expect(message.channel == status % 16)
    #expect(message == ChannelMessage(kind, channel: status % 16, 1))
  }

  @Test func `knows that a note-on without velocity ends a note`() {
    let on = ChannelMessage(.noteOn, channel: 0, 60, 1)
    let silentOn = ChannelMessage(.noteOn, channel: 0, 60, 0)
    let off = ChannelMessage(.noteOff, channel: 0, 60, 64)
    let other = ChannelMessage(.keyPressure, channel: 0, 60, 0)
    #expect([on, silentOn, off, other].map(\.startsNote) == [true, false, false, false])
    #expect([on, silentOn, off, other].map(\.endsNote) == [false, true, true, false])
  }

  @Test func `recognises the controllers that select legato`() {
    let asking = (0..<128).filter {
      ChannelMessage(.controlChange, channel: 3, UInt8($0), 127).asksForLegato
    }
    #expect(asking == [68, 84, 126])
    #expect(!ChannelMessage(.controlChange, channel: 3, 68, 63).asksForLegato)
    #expect(!ChannelMessage(.keyPressure, channel: 3, 68, 127).asksForLegato)
  }

  @Test func `reads a bend low bits first`() {
    #expect(ChannelMessage(.pitchBend, channel: 0, 0, 0).bend == 0)
    #expect(ChannelMessage(.pitchBend, channel: 0, 1, 0).bend == 1)
    #expect(ChannelMessage(.pitchBend, channel: 0, 0, 64).bend == 8192)
    #expect(ChannelMessage(.pitchBend, channel: 0, 127, 127).bend == 16383)
  }

  @Test func `counts one data byte for programs and channel pressure, else two`() {
    for status in UInt8(0x80)...0xEF {
      let count = ChannelMessage.dataCount(ofStatus: status)
      #expect(count == ((0xC0...0xDF).contains(status) ? 1 : 2), "status \(status)")
    }
  }

  @Test func `the second data byte of a message with one data byte is 0`() {
    #expect(ChannelMessage(status: 0xC0, data1: 5, data2: 9)?.data2 == 0)
    #expect(ChannelMessage(.channelPressure, channel: 3, 5, 9).data2 == 0)
    #expect(ChannelMessage(.controlChange, channel: 3, 5, 9).data2 == 9)
  }

  @Test func `takes three bytes of memory`() {
    #expect(MemoryLayout<ChannelMessage>.stride == 3)
  }

  @Test func `a channel or byte out of range is a precondition failure`() async {
    await #expect(processExitsWith: .failure) { _ = ChannelMessage(.noteOn, channel: 16, 60, 1) }
    await #expect(processExitsWith: .failure) { _ = ChannelMessage(.noteOn, channel: 0, 128, 1) }
    await #expect(processExitsWith: .failure) { _ = ChannelMessage(.noteOn, channel: 0, 60, 128) }
  }
}
