import MIDICore
import Testing

@testable import LiveCore

@Suite struct ChannelMemoryTests {
  private func memory(_ messages: [ChannelMessage]) -> [ChannelMessage] {
    var memory = ChannelMemory()
    for message in messages { memory.follow(message) }
    return memory.messages
  }

  private func control(_ controller: UInt8, _ value: UInt8) -> ChannelMessage {
    ChannelMessage(.controlChange, channel: 3, controller, value)
  }

  private let organ = ChannelMessage(.programChange, channel: 3, 19)

  @Test func `nothing has been set, and nothing is said`() {
    #expect(memory([]).isEmpty)
    #expect(memory([ChannelMessage(.noteOn, channel: 3, 60, 100)]).isEmpty)
  }

  @Test func `the last of each kind is kept, the bank before its program`() {
    let bend = ChannelMessage(.pitchBend, channel: 3, 1, 2)
    #expect(
      memory([control(7, 1), organ, control(0, 8), control(7, 90), bend])
        == [control(0, 8), control(7, 90), organ, bend])
  }

  @Test func `pedals are not kept, for they are held`() {
    #expect(memory([control(64, 127), control(66, 127)]).isEmpty)
  }

  @Test func `a registered parameter is set with its data, and closed again`() {
    #expect(
      memory([control(101, 0), control(100, 0), control(6, 12), control(38, 1)]) == [
        control(101, 0), control(100, 0), control(6, 12), control(38, 1), control(101, 127),
        control(100, 127),
      ])
  }

  @Test func `data of other parameters are left out`() {
    #expect(memory([control(99, 1), control(98, 8), control(6, 64)]).isEmpty)
    #expect(memory([control(6, 64)]).isEmpty)
  }

  @Test func `controllers reset leave volume and program`() {
    #expect(
      memory([control(1, 9), control(7, 80), organ, control(121, 0)]) == [control(7, 80), organ])
  }
}
