import RenderCore
import Testing

private func on(_ key: UInt8, channel: UInt8 = 0, velocity: UInt8 = 100) -> ChannelMessage {
  ChannelMessage(.noteOn, channel: channel, key, velocity)
}

private func off(_ key: UInt8, channel: UInt8 = 0) -> ChannelMessage {
  ChannelMessage(.noteOff, channel: channel, key, 64)
}

private func control(_ number: UInt8, _ value: UInt8, channel: UInt8 = 0) -> ChannelMessage {
  ChannelMessage(.controlChange, channel: channel, number, value)
}

private func ledger(_ messages: [ChannelMessage]) -> HeldNotes {
  var ledger = HeldNotes()
  for message in messages { ledger.follow(message) }
  return ledger
}

extension HeldNotes {
  fileprivate var releases: [ChannelMessage] {
    var rest = self
    var releases: [ChannelMessage] = []
    while let release = rest.popRelease() { releases.append(release) }
    return releases
  }
}

@Test func `tracks keys and pedals that are down, and releases keys first`() {
  let held = ledger([
    control(64, 127, channel: 3), control(66, 64, channel: 1), on(60), on(61),
    off(61), on(60, channel: 9), on(70), on(70, velocity: 0),
  ])
  #expect(held.count == 2)
  #expect(
    held.releases == [
      ChannelMessage(.noteOff, channel: 0, 60, 64), ChannelMessage(.noteOff, channel: 9, 60, 64),
      ChannelMessage(.controlChange, channel: 3, 64, 0),
      ChannelMessage(.controlChange, channel: 1, 66, 0),
    ])
}

@Test func `one note-off ends every stroke of a key`() {
  #expect(ledger([on(60), on(60), off(60)]).releases == [])
}

@Test(arguments: [64, 65, 66, 67, 68, 69] as [UInt8])
func `a switch that is on is released, unless controllers were reset`(number: UInt8) {
  #expect(ledger([control(number, 64)]).releases == [control(number, 0)])
  #expect(ledger([control(number, 64), control(121, 0)]).isEmpty)
}

@Test func `a pedal below 64 is up`() {
  #expect(ledger([control(64, 127), control(64, 63)]).releases == [])
}

@Test(arguments: [120, 123, 124, 125, 126, 127] as [UInt8])
func `channel mode messages end the notes of their channel`(number: UInt8) {
  let held = ledger([on(60), on(60, channel: 1), control(number, 0)])
  #expect(held.releases == [ChannelMessage(.noteOff, channel: 1, 60, 64)])
}

@Test(arguments: [
  [0x7E, 0x7F, 0x09, 0x01],
  [0x7E, 0x7F, 0x09, 0x03],
  [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41],
  [0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00],
])
func `a system reset releases everything`(bytes: [UInt8]) {
  var held = ledger([on(60), control(64, 127)])
  follow([0x7E, 0x7F, 0x06, 0x01], in: &held)
  #expect(held.count == 1)
  follow(bytes, in: &held)
  #expect(held.isEmpty && held.releases.isEmpty)
}

@Test func `a truncated reset message is not a reset`() {
  var held = ledger([on(60)])
  for bytes: [UInt8] in [[], [0x7E], [0x7E, 0x7F, 0x09], [0x41, 0x10, 0x42, 0x12, 0x40, 0x00]] {
    follow(bytes, in: &held)
  }
  #expect(held.count == 1)
}

@Test func `every key of every channel is released once`() {
  let all = (0..<16).flatMap { channel in (0..<128).map { on($0, channel: channel) } }
  let held = ledger(all)
  #expect(held.count == 2048)
  #expect(Set(held.releases.map { Int($0.channel) * 128 + Int($0.data1) }).count == 2048)
  #expect(ledger(all + held.releases).isEmpty)
}

private func follow(_ bytes: [UInt8], in ledger: inout HeldNotes) {
  bytes.withUnsafeBufferPointer { ledger.follow(sysEx: $0) }
}
