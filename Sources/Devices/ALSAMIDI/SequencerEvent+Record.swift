import CALSA
import RenderCore

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
