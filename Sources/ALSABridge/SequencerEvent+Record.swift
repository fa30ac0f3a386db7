import CALSA
import MIDICore

extension SequencerEvent {
  /// Translates what the kernel wrote.
  init(_ record: snd_seq_event_t) {
    let isStamped = record.flags & UInt8(SND_SEQ_TIME_STAMP_MASK) == UInt8(SND_SEQ_TIME_STAMP_REAL)
    let stamp = record.time.time
    self.init(
      source: PortAddress(record.source),
      time: isStamped ? UInt64(stamp.tv_sec) * 1_000_000_000 + UInt64(stamp.tv_nsec) : nil,
      content: Announcement(record).map(Content.announcement)
        ?? ChannelMessage(record).map(Content.message)
        ?? .other(kind: record.type))
  }
}

extension PortAddress {
  init(_ address: snd_seq_addr_t) { self.init(client: address.client, port: address.port) }
}

extension snd_seq_addr_t {
  init(_ address: PortAddress) { self.init(client: address.client, port: address.port) }
}

extension Announcement {
  fileprivate init?(_ record: snd_seq_event_t) {
    let address = PortAddress(record.data.addr)
    let sender = PortAddress(record.data.connect.sender)
    let receiver = PortAddress(record.data.connect.dest)
    switch snd_seq_event_type(UInt32(record.type)) {
    case SND_SEQ_EVENT_CLIENT_START: self = .clientStarted(address.client)
    case SND_SEQ_EVENT_CLIENT_EXIT: self = .clientExited(address.client)
    case SND_SEQ_EVENT_CLIENT_CHANGE: self = .clientChanged(address.client)
    case SND_SEQ_EVENT_PORT_START: self = .portStarted(address)
    case SND_SEQ_EVENT_PORT_EXIT: self = .portExited(address)
    case SND_SEQ_EVENT_PORT_CHANGE: self = .portChanged(address)
    case SND_SEQ_EVENT_PORT_SUBSCRIBED: self = .subscribed(sender: sender, receiver: receiver)
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED: self = .unsubscribed(sender: sender, receiver: receiver)
    default: return nil
    }
  }
}

extension ChannelMessage {
  /// - Returns: `nil` of other kinds, and of parts that are out of range, which any program may send.
  fileprivate init?(_ record: snd_seq_event_t) {
    let note = record.data.note
    let control = record.data.control
    switch snd_seq_event_type(UInt32(record.type)) {
    case SND_SEQ_EVENT_NOTEOFF: self.init(.noteOff, note.channel, note.note, note.velocity)
    case SND_SEQ_EVENT_NOTEON: self.init(.noteOn, note.channel, note.note, note.velocity)
    case SND_SEQ_EVENT_KEYPRESS: self.init(.keyPressure, note.channel, note.note, note.velocity)
    case SND_SEQ_EVENT_CONTROLLER:
      self.init(.controlChange, control.channel, control.param, control.value)
    case SND_SEQ_EVENT_PGMCHANGE: self.init(.programChange, control.channel, control.value, 0)
    case SND_SEQ_EVENT_CHANPRESS: self.init(.channelPressure, control.channel, control.value, 0)
    case SND_SEQ_EVENT_PITCHBEND:
      // −8192…8191 here, 0…16383 in MIDI.
      guard -8192..<8192 ~= control.value else { return nil }
      let bend = control.value + 8192
      self.init(.pitchBend, control.channel, bend & 0x7F, bend >> 7)
    default: return nil
    }
  }

  private init?(
    _ kind: Kind, _ channel: UInt8, _ data1: some BinaryInteger, _ data2: some BinaryInteger
  ) {
    guard channel < 16, let data1 = UInt8(exactly: data1), let data2 = UInt8(exactly: data2)
    else { return nil }
    self.init(status: kind.rawValue | channel, data1: data1, data2: data2)
  }
}
