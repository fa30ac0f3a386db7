import CALSA
import MIDICore
import Testing

@testable import ALSABridge

// As the kernel wrote them, of a keyboard at 28:0 and for us at 128:1: kind, flags, tag and queue;
// seconds and nanoseconds; source and destination; and what the kind has to say.

private let keyboard = PortAddress(client: 28, port: 0)

@Test(
  arguments: [
    ("06 01 00 00", "00 3c 64 00 00 00 00 00 00 00 00 00", ChannelMessage.Kind.noteOn, 60, 100),
    ("07 01 00 00", "00 3c 05 00 00 00 00 00 00 00 00 00", .noteOff, 60, 5),
    ("08 01 00 00", "00 3c 05 00 00 00 00 00 00 00 00 00", .keyPressure, 60, 5),
    ("0a 01 00 00", "00 00 00 00 40 00 00 00 7f 00 00 00", .controlChange, 64, 127),
    ("0b 01 00 00", "00 00 00 00 00 00 00 00 18 00 00 00", .programChange, 24, 0),
    ("0c 01 00 00", "00 00 00 00 00 00 00 00 46 00 00 00", .channelPressure, 70, 0),
    ("0d 01 00 00", "00 00 00 00 00 00 00 00 01 10 00 00", .pitchBend, 1, 96),
    ("0d 01 00 00", "00 00 00 00 00 00 00 00 00 e0 ff ff", .pitchBend, 0, 0),
  ] as [(String, String, ChannelMessage.Kind, UInt8, UInt8)])
func `what is played is a channel message`(
  head: String, data: String, kind: ChannelMessage.Kind, data1: UInt8, data2: UInt8
) throws {
  let event = try event("\(head)  01 00 00 00 33 3b b2 18  1c 00 80 01  \(data)")
  #expect(event.content == .message(ChannelMessage(kind, channel: 0, data1, data2)))
  #expect(event.source == keyboard)
  #expect(event.time == 1_414_333_747)
}

@Test(arguments: [
  ("3c 01 00 00", "1c 00 00 00 00 00 00 00 00 00 00 00", Announcement.clientStarted(28)),
  ("3d 01 00 00", "1c 00 00 00 00 00 00 00 00 00 00 00", .clientExited(28)),
  ("3e 01 00 00", "1c 00 00 00 00 00 00 00 00 00 00 00", .clientChanged(28)),
  ("3f 01 00 00", "1c 00 00 00 00 00 00 00 00 00 00 00", .portStarted(keyboard)),
  ("40 01 00 00", "1c 00 00 00 00 00 00 00 00 00 00 00", .portExited(keyboard)),
  ("41 01 00 00", "1c 00 00 00 00 00 00 00 00 00 00 00", .portChanged(keyboard)),
  (
    "42 01 00 00", "1c 00 80 01 00 00 00 00 00 00 00 00",
    .subscribed(sender: keyboard, receiver: PortAddress(client: 128, port: 1))
  ),
  (
    "43 01 00 00", "1c 00 80 01 00 00 00 00 00 00 00 00",
    .unsubscribed(sender: keyboard, receiver: PortAddress(client: 128, port: 1))
  ),
])
func `what comes and goes is an announcement`(
  head: String, data: String, announcement: Announcement
) throws {
  let event = try event("\(head)  01 00 00 00 73 72 aa 00  00 01 80 00  \(data)")
  #expect(event.content == .announcement(announcement))
  #expect(event.source == .announcements)
  #expect(event.time == 1_011_170_419)
}

@Test(arguments: [
  ("a note on channel 17", "06 01 00 00", "10 3c 64 00 00 00 00 00 00 00 00 00"),
  ("key 128", "06 01 00 00", "00 80 64 00 00 00 00 00 00 00 00 00"),
  ("controller 256", "0a 01 00 00", "00 00 00 00 00 01 00 00 7f 00 00 00"),
  ("controller value -1", "0a 01 00 00", "00 00 00 00 07 00 00 00 ff ff ff ff"),
  ("a bend too far", "0d 01 00 00", "00 00 00 00 00 00 00 00 00 20 00 00"),
  ("the least bend there is", "0d 01 00 00", "00 00 00 00 00 00 00 00 00 00 00 80"),
  ("a clock", "24 01 00 00", "00 00 00 00 00 00 00 00 00 00 00 00"),
])
func `what no keyboard may send, and what is not translated, is no message`(
  name: String, head: String, data: String
) throws {
  let event = try event("\(head)  01 00 00 00 33 3b b2 18  1c 00 80 01  \(data)")
  #expect(event.content == .other(kind: UInt8(head.prefix(2), radix: 16) ?? 0))
}

@Test func `an event without the time, or with one in ticks, has none`() throws {
  let rest = "01 00 00 00 33 3b b2 18  1c 00 80 01  00 3c 64 00 00 00 00 00 00 00 00 00"
  #expect(try event("06 00 00 fd \(rest)").time == nil)
}

private func event(_ text: String) throws -> SequencerEvent {
  let bytes = text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
  try #require(bytes.count == MemoryLayout<snd_seq_event_t>.size)
  return SequencerEvent(bytes.withUnsafeBytes { $0.loadUnaligned(as: snd_seq_event_t.self) })
}
