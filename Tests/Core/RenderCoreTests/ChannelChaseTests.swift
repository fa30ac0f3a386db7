import RenderCore
import Testing

private func control(_ controller: UInt8, _ value: UInt8) -> ChannelMessage {
  ChannelMessage(.controlChange, channel: 3, controller, value)
}

private let organ = ChannelMessage(.programChange, channel: 3, 19)

private func chase(_ messages: [ChannelMessage]) -> InstrumentChase {
  var chase = InstrumentChase()
  for message in messages { chase.follow(message) }
  return chase
}

private func settings(_ messages: [ChannelMessage]) -> [ChannelMessage] {
  chase(messages).settings.compactMap {
    if case .channel(let message) = $0 { message } else { nil }
  }
}

private func difference(
  _ messages: [ChannelMessage], from others: [ChannelMessage] = []
) -> [ChannelMessage] {
  var result: [ChannelMessage] = []
  chase(messages).difference(from: chase(others)) { result.append($0) }
  return result
}

@Suite(.timeLimit(.minutes(5))) struct ChannelChaseTests {
  @Test func `without settings nothing is sent`() {
    #expect(settings([]).isEmpty)
    #expect(settings([ChannelMessage(.noteOn, channel: 3, 60, 100)]).isEmpty)
  }

  @Test func `the last value of each kind is kept, the bank before its program`() {
    let bend = ChannelMessage(.pitchBend, channel: 3, 1, 2)
    let pressure = ChannelMessage(.channelPressure, channel: 3, 9)
    #expect(
      settings([pressure, control(7, 1), control(0, 8), organ, control(7, 90), bend])
        == [control(0, 8), control(32, 0), organ, control(7, 90), bend, pressure])
  }

  @Test func `a bank without its program follows the previous program`() {
    #expect(settings([organ, control(0, 8)]) == [organ, control(0, 8)])
  }

  @Test func `default values are sent to an instrument with its own defaults`() {
    let piano = ChannelMessage(.programChange, channel: 3, 0)
    #expect(settings([piano, control(7, 100)]) == [piano, control(7, 100)])
    #expect(difference([piano, control(7, 100)]).isEmpty)
  }

  @Test func `switches belong to the held notes, but a song's chase includes them`() {
    let switches = (UInt8(64)...69).map { control($0, 127) }
    #expect(settings(switches).isEmpty)
    #expect(difference(switches) == switches.filter { $0.data1 != 66 })
  }

  @Test(arguments: [8, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 94, 95, 91, 93, 7, 10, 1, 11])
  func `a controller that a player has set is kept`(controller: UInt8) {
    #expect(settings([control(controller, 33)]) == [control(controller, 33)])
  }

  @Test(arguments: [0, 32, 7, 8, 10, 39, 40, 42, 70, 74, 79, 91, 92, 93, 94, 95] as [UInt8])
  func `a player's controller survives a reset of all controllers`(controller: UInt8) {
    #expect(settings([control(controller, 33), control(121, 0)]) == [control(controller, 33)])
  }

  @Test func `a reset of all controllers keeps the program`() {
    let reset: [UInt8] = [1, 2, 4, 5, 11, 12, 16, 43, 64, 65, 67, 68, 69, 80, 84, 102]
    let bend = ChannelMessage(.pitchBend, channel: 3, 1, 2)
    let pressure = ChannelMessage(.channelPressure, channel: 3, 9)
    let before = reset.map { control($0, 33) } + [organ, bend, pressure, control(101, 0)]
    #expect(settings(before + [control(121, 0)]) == [organ])
    #expect(difference(before + [control(121, 0)]) == difference([organ]))
  }

  @Test func `a registered parameter is set with both bytes, and stays selected`() {
    let range = [control(101, 0), control(100, 0), control(6, 12), control(38, 50)]
    #expect(settings(range) == range)
    let null = [control(101, 127), control(100, 127)]
    #expect(settings(range + null).suffix(2) == null)
  }

  @Test func `the low byte that FluidSynth had at CC 6 is sent before it`() {
    let tuning = [control(101, 0), control(100, 1), control(38, 5), control(6, 70)]
    #expect(settings(tuning) == tuning)
  }

  @Test func `a low byte from before the selection is sent before it`() {
    let stale = [control(38, 5), control(101, 0), control(100, 0), control(6, 12)]
    #expect(settings(stale) == stale)
    let after = stale + [control(38, 7)]
    #expect(settings(after) == Array(stale[1...2] + [stale[0], stale[3], after[4]]))
  }

  @Test func `a high byte from before the selection is sent before it`() {
    let stale = [control(6, 12), control(101, 0), control(100, 0), control(38, 7)]
    #expect(settings(stale) == stale)
  }

  @Test func `a parameter is sent again if another was selected since`() {
    let range = [control(101, 0), control(100, 0), control(6, 12)]
    let tuning = [control(101, 0), control(100, 1), control(6, 70), control(38, 3)]
    #expect(settings(range + tuning) == range + tuning)
    #expect(difference(range + tuning) == range + tuning)
  }

  @Test func `unknown parameters are omitted, but not data that may be combined later`() {
    let other = [control(99, 1), control(98, 8), control(6, 64)]
    let none = [control(101, 127), control(100, 127), control(99, 127), control(98, 127)]
    #expect(settings(other) == [control(6, 64)] + none)
    let halfSelected = [control(101, 0), control(100, 127)]
    #expect(settings(other + [control(101, 0)]) == [control(6, 64)] + halfSelected)
    #expect(settings([control(6, 64)]) == [control(6, 64)])
  }

  @Test func `a reset by System Exclusive clears everything`() {
    var chase = chase([organ, control(7, 5)])
    [0x7E, 0x7F, 0x09, 0x01].withUnsafeBufferPointer { chase.follow(sysEx: $0) }
    #expect(chase.settings == [.sysEx([0x7E, 0x7F, 0x09, 0x01])])
  }
}
