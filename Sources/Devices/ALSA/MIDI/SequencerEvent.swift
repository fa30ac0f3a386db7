import CALSA
public import RenderCore

/// An event that one of our ports received.
public struct SequencerEvent: Equatable, Sendable {
  /// The sending port.
  public let source: PortAddress
  /// Our receiving port.
  public let destination: PortAddress
  /// The arrival time, in nanoseconds since the sequencer was opened; `nil` if the kernel did not set it.
  ///
  /// It jitters by the latency of timer interrupts, and may be earlier than the time of a previous event: the kernel
  /// counts timer periods of 1 ms and adds the time since the last interrupt. ``QueueClock`` corrects this.
  ///
  /// Source: the kernel's `sound/core/seq/seq_timer.c`, `snd_seq_timer_interrupt`.
  public let time: UInt64?
  public let content: Content

  public enum Content: Equatable, Sendable {
    /// Channel messages. One ALSA event may need several; a 14-bit controller needs two.
    case messages([ChannelMessage])
    case system(SystemMessage)
    /// Bytes of System Exclusive messages, including F0 and F7. A long message arrives in several events, and one event
    /// may contain several messages; see ``SysExJoiner``.
    case sysEx([UInt8])
    case announcement(Announcement)
    /// An event of a supported type with a value outside MIDI's range, which any program may send. `kind` is one of
    /// `SND_SEQ_EVENT_…`.
    case outOfRange(kind: UInt8)
    /// An event of an unsupported type: queue control, echo or user-defined. Notes with a duration never arrive: the
    /// kernel splits them into a note-on and a note-off.
    ///
    /// Source: the kernel's `sound/core/seq/seq_clientmgr.c`, `snd_seq_dispatch_event`.
    case other(kind: UInt8)
  }
}

/// An announcement sent by ``PortAddress/announcements``.
public enum Announcement: Equatable, Sendable {
  case clientStarted(UInt8)
  /// The exit of its ports is announced before.
  case clientExited(UInt8)
  case clientChanged(UInt8)
  case portStarted(PortAddress)
  case portExited(PortAddress)
  case portChanged(PortAddress)
  case subscribed(sender: PortAddress, receiver: PortAddress)
  case unsubscribed(sender: PortAddress, receiver: PortAddress)
}

extension SequencerEvent.Content {
  /// Translates an event to MIDI messages in the same order as the kernel's own byte encoder: for 14-bit values, the
  /// upper seven bits first.
  ///
  /// Source: the kernel's `sound/core/seq/seq_midi_event.c`.
  init(playing record: snd_seq_event_t) {
    let note = record.data.note
    let key = Int(note.note)
    let velocity = Int(note.velocity)
    let control = record.data.control
    let parameter = Int(control.param)
    let value = Int(control.value)

    func voice(_ kind: ChannelMessage.Kind, _ data1: Int, _ data2: Int) -> Self {
      messages([(kind, data1, data2)])
    }
    func controllers(_ settings: (controller: Int, value: Int)...) -> Self {
      messages(settings.map { (.controlChange, $0.controller, $0.value) })
    }
    func messages(_ parts: [(ChannelMessage.Kind, Int, Int)]) -> Self {
      // Notes and controllers store the channel at the same offset.
      let messages = parts.compactMap { ChannelMessage($0.0, on: control.channel, $0.1, $0.2) }
      return messages.count == parts.count ? .messages(messages) : .outOfRange(kind: record.type)
    }
    func system(_ status: UInt8, _ data1: Int = 0, _ data2: Int = 0) -> Self {
      guard let data1 = UInt8(exactly: data1), let data2 = UInt8(exactly: data2),
        let message = SystemMessage(status: status, data1: data1, data2: data2)
      else { return .outOfRange(kind: record.type) }
      return .system(message)
    }

    self =
      switch snd_seq_event_type(UInt32(record.type)) {
      case SND_SEQ_EVENT_NOTEOFF: voice(.noteOff, key, velocity)
      case SND_SEQ_EVENT_NOTEON: voice(.noteOn, key, velocity)
      case SND_SEQ_EVENT_KEYPRESS: voice(.keyPressure, key, velocity)
      case SND_SEQ_EVENT_PGMCHANGE: voice(.programChange, value, 0)
      case SND_SEQ_EVENT_CHANPRESS: voice(.channelPressure, value, 0)
      // −8192…8191 here, 0…16383 in MIDI.
      case SND_SEQ_EVENT_PITCHBEND:
        voice(.pitchBend, (value + 8192) & 0x7F, (value + 8192) >> 7)
      case SND_SEQ_EVENT_CONTROLLER: controllers((parameter, value))
      case SND_SEQ_EVENT_CONTROL14 where parameter < 32:
        controllers((parameter, value >> 7), (parameter + 32, value & 0x7F))
      case SND_SEQ_EVENT_CONTROL14: controllers((parameter, value))
      case SND_SEQ_EVENT_NONREGPARAM:
        controllers(
          (99, parameter >> 7), (98, parameter & 0x7F), (6, value >> 7), (38, value & 0x7F))
      case SND_SEQ_EVENT_REGPARAM:
        controllers(
          (101, parameter >> 7), (100, parameter & 0x7F), (6, value >> 7), (38, value & 0x7F))
      case SND_SEQ_EVENT_SYSEX: Self(sysEx: record)
      case SND_SEQ_EVENT_QFRAME: system(0xF1, value)
      case SND_SEQ_EVENT_SONGPOS: system(0xF2, value & 0x7F, value >> 7)
      case SND_SEQ_EVENT_SONGSEL: system(0xF3, value)
      case SND_SEQ_EVENT_TUNE_REQUEST: system(0xF6)
      case SND_SEQ_EVENT_CLOCK: system(0xF8)
      case SND_SEQ_EVENT_START: system(0xFA)
      case SND_SEQ_EVENT_CONTINUE: system(0xFB)
      case SND_SEQ_EVENT_STOP: system(0xFC)
      case SND_SEQ_EVENT_SENSING: system(0xFE)
      case SND_SEQ_EVENT_RESET: system(0xFF)
      default: .other(kind: record.type)
      }
  }

  private init(sysEx record: snd_seq_event_t) {
    let length = record.flags & UInt8(SND_SEQ_EVENT_LENGTH_MASK)
    let bytes = record.data.ext
    // Other events have no bytes, and the pointer is undefined.
    guard length == UInt8(SND_SEQ_EVENT_LENGTH_VARIABLE), bytes.len > 0 else {
      self = .outOfRange(kind: record.type)
      return
    }
    self = .sysEx(Array(UnsafeRawBufferPointer(start: bytes.ptr, count: Int(bytes.len))))
  }
}

extension ChannelMessage {
  /// Returns `nil` if the channel or a data byte is out of range.
  fileprivate init?(_ kind: Kind, on channel: UInt8, _ data1: Int, _ data2: Int) {
    guard channel < 16, let data1 = UInt8(exactly: data1), let data2 = UInt8(exactly: data2)
    else { return nil }
    self.init(status: kind.rawValue | channel, data1: data1, data2: data2)
  }
}

extension SequencerEvent {
  /// Translates a kernel event record.
  ///
  /// - Parameter record: Its variable-length data must be valid; the bytes are copied.
  init(_ record: snd_seq_event_t) {
    let isStamped = record.flags & UInt8(SND_SEQ_TIME_STAMP_MASK) == UInt8(SND_SEQ_TIME_STAMP_REAL)
    let stamp = record.time.time
    self.init(
      source: PortAddress(record.source),
      destination: PortAddress(record.dest),
      time: isStamped ? UInt64(stamp.tv_sec) * 1_000_000_000 + UInt64(stamp.tv_nsec) : nil,
      content: Announcement(record).map(Content.announcement) ?? Content(playing: record))
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
