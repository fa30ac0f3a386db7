import MIDICore
import MIDIFile
import Testing

@testable import OfflineRenderer

private func held(_ events: [Event]) -> HeldNotes {
  var notes = HeldNotes()
  for event in events {
    if case .channel(let message) = event.content { notes.follow(message) }
  }
  return notes
}

@Test func `knows the keys and pedals that are down, and lets go of keys first`() {
  let notes = held([
    control(0, 64, 127, channel: 3), control(0, 66, 64, channel: 1), on(0, 60), on(0, 61),
    off(0, 61), on(0, 60, channel: 9), on(0, 70), on(0, 70, velocity: 0),
  ])
  #expect(notes.count == 2)
  #expect(
    notes.releases == [
      ChannelMessage(.noteOff, channel: 0, 60, 64), ChannelMessage(.noteOff, channel: 9, 60, 64),
      ChannelMessage(.controlChange, channel: 3, 64, 0),
      ChannelMessage(.controlChange, channel: 1, 66, 0),
    ])
}

@Test func `one note-off ends every stroke of a key`() {
  #expect(held([on(0, 60), on(0, 60), off(0, 60)]).releases == [])
}

@Test func `a pedal below 64 is up`() {
  #expect(held([control(0, 64, 127), control(0, 64, 63)]).releases == [])
}

@Test(arguments: [120, 123, 124, 125, 126, 127] as [UInt8])
func `channel mode messages end the notes of their channel`(number: UInt8) {
  let notes = held([on(0, 60), on(0, 60, channel: 1), control(0, number, 0)])
  #expect(notes.releases == [ChannelMessage(.noteOff, channel: 1, 60, 64)])
}

@Test(arguments: [
  [0x7E, 0x7F, 0x09, 0x01],
  [0x7E, 0x7F, 0x09, 0x03],
  [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41],
  [0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00],
])
func `a system reset lets go of everything`(bytes: [UInt8]) {
  var held = HeldNotes()
  held.follow(ChannelMessage(.noteOn, channel: 0, 60, 100))
  held.follow(ChannelMessage(.controlChange, channel: 0, 64, 127))
  held.follow(sysEx: [0x7E, 0x7F, 0x06, 0x01])
  #expect(held.count == 1)
  held.follow(sysEx: bytes)
  #expect(held.count == 0 && held.releases.isEmpty)
}
