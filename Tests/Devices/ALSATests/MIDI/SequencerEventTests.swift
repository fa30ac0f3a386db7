import CALSA
import RenderCore
import Testing

@testable import ALSA

// Events as the kernel wrote them, from a keyboard at 28:0 to our port at 128:1: type, flags, tag and queue;
// seconds and nanoseconds; source and destination; and the data of the type.

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
func `played events become channel messages`(
  head: String, data: String, kind: ChannelMessage.Kind, data1: UInt8, data2: UInt8
) throws {
  let event = try event("\(head)  01 00 00 00 33 3b b2 18  1c 00 80 01  \(data)")
  #expect(event.content == .messages([ChannelMessage(kind, channel: 0, data1, data2)]))
  #expect(event.source == keyboard)
  #expect(event.destination == PortAddress(client: 128, port: 1))
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
func `clients and ports that appear or disappear become announcements`(
  head: String, data: String, announcement: Announcement
) throws {
  let event = try event("\(head)  01 00 00 00 73 72 aa 00  00 01 80 00  \(data)")
  #expect(event.content == .announcement(announcement))
  #expect(event.source == .announcements)
  #expect(event.time == 1_011_170_419)
}

@Test(
  arguments: [
    // A 14-bit controller, and one with seven bits only.
    ("0e 01 00 00", "02 00 00 00 07 00 00 00 81 3f 00 00", [[7, 127], [39, 1]]),
    ("0e 01 00 00", "02 00 00 00 40 00 00 00 7f 00 00 00", [[64, 127]]),
    // Registered and non-registered parameters.
    (
      "0f 01 00 00", "02 00 00 00 83 02 00 00 05 20 00 00",
      [[99, 5], [98, 3], [6, 64], [38, 5]]
    ),
    (
      "10 01 00 00", "02 00 00 00 01 00 00 00 00 20 00 00",
      [[101, 0], [100, 1], [6, 64], [38, 0]]
    ),
  ] as [(String, String, [[UInt8]])])
func `a 14-bit controller becomes several controllers`(
  head: String, data: String, controllers: [[UInt8]]
) throws {
  let event = try event("\(head)  01 00 00 00 33 3b b2 18  1c 00 80 01  \(data)")
  let messages = controllers.map { ChannelMessage(.controlChange, channel: 2, $0[0], $0[1]) }
  #expect(event.content == .messages(messages))
}

@Test(
  arguments: [
    ("14", "01 1f 00 00", SystemMessage(status: 0xF2, data1: 1, data2: 62)),
    ("15", "05 00 00 00", SystemMessage(status: 0xF3, data1: 5)),
    ("16", "35 00 00 00", SystemMessage(status: 0xF1, data1: 0x35)),
    ("1e", "00 00 00 00", .start),
    ("1f", "00 00 00 00", .continue),
    ("20", "00 00 00 00", .stop),
    ("24", "00 00 00 00", .clock),
    ("28", "00 00 00 00", SystemMessage(status: 0xF6)),
    ("29", "00 00 00 00", .reset),
    ("2a", "00 00 00 00", .activeSensing),
  ] as [(String, String, SystemMessage?)])
func `system events become system messages`(
  kind: String, value: String, message: SystemMessage?
) throws {
  let event = try event(
    "\(kind) 01 00 00  01 00 00 00 33 3b b2 18  1c 00 80 01  00 00 00 00 00 00 00 00 \(value)")
  #expect(event.content == .system(try #require(message)))
}

@Test(arguments: [
  ("a note on channel 17", "06 01 00 00", "10 3c 64 00 00 00 00 00 00 00 00 00"),
  ("key 128", "06 01 00 00", "00 80 64 00 00 00 00 00 00 00 00 00"),
  ("velocity 128", "06 01 00 00", "00 3c 80 00 00 00 00 00 00 00 00 00"),
  ("controller 256", "0a 01 00 00", "00 00 00 00 00 01 00 00 7f 00 00 00"),
  ("controller value -1", "0a 01 00 00", "00 00 00 00 07 00 00 00 ff ff ff ff"),
  ("program 128", "0b 01 00 00", "00 00 00 00 00 00 00 00 80 00 00 00"),
  ("a bend too far", "0d 01 00 00", "00 00 00 00 00 00 00 00 00 20 00 00"),
  ("the least bend there is", "0d 01 00 00", "00 00 00 00 00 00 00 00 00 00 00 80"),
  ("14 bits, and one more", "0e 01 00 00", "00 00 00 00 07 00 00 00 00 40 00 00"),
  ("less than nothing in 14 bits", "0e 01 00 00", "00 00 00 00 07 00 00 00 ff ff ff ff"),
  ("switch 64 with 14 bits", "0e 01 00 00", "00 00 00 00 40 00 00 00 80 00 00 00"),
  ("parameter 16384", "0f 01 00 00", "00 00 00 00 00 40 00 00 00 00 00 00"),
  ("all parameters at once", "10 01 00 00", "00 00 00 00 ff ff ff ff 00 00 00 00"),
  ("song position 16384", "14 01 00 00", "00 00 00 00 00 00 00 00 00 40 00 00"),
  ("song 128", "15 01 00 00", "00 00 00 00 00 00 00 00 80 00 00 00"),
  ("time code -1", "16 01 00 00", "00 00 00 00 00 00 00 00 ff ff ff ff"),
  ("System Exclusive without bytes", "82 05 00 00", "00 00 00 00 00 00 00 00 00 00 00 00"),
  ("System Exclusive that points anywhere", "82 01 00 00", "08 00 00 00 17 00 00 00 00 00 00 00"),
])
func `values beyond MIDI's range are refused`(name: String, head: String, data: String) throws {
  let event = try event("\(head)  01 00 00 00 33 3b b2 18  1c 00 80 01  \(data)")
  #expect(event.content == .outOfRange(kind: UInt8(head.prefix(2), radix: 16) ?? 0))
}

@Test(arguments: [
  ("a note with a length", "05 01 00 00"), ("a tempo", "23 01 00 00"), ("a tick", "25 01 00 00"),
  ("an echo", "32 01 00 00"), ("what a user defines", "5a 01 00 00"), ("nothing", "ff 01 00 00"),
])
func `other events are not translated`(name: String, head: String) throws {
  let event = try event(
    "\(head)  01 00 00 00 33 3b b2 18  1c 00 80 01  00 00 00 00 00 00 00 00 00 00 00 00")
  #expect(event.content == .other(kind: UInt8(head.prefix(2), radix: 16) ?? 0))
}

@Test func `System Exclusive is copied`() {
  var bytes: [UInt8] = [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]
  let event = bytes.withUnsafeMutableBytes { bytes in
    var record = snd_seq_event_t()
    record.type = UInt8(SND_SEQ_EVENT_SYSEX.rawValue)
    record.flags = UInt8(SND_SEQ_EVENT_LENGTH_VARIABLE)
    record.data.ext = snd_seq_ev_ext_t(len: UInt32(bytes.count), ptr: bytes.baseAddress)
    return SequencerEvent(record)
  }
  bytes[1] = 0
  #expect(event.content == .sysEx([0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]))
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
