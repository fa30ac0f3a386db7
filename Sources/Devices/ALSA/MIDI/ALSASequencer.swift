import CALSA
import Glibc
import LocalSystem

/// A client of the kernel's ALSA sequencer.
///
/// It allocates a queue and starts it in the initializer, so that the kernel timestamps each event on arrival.
///
/// The corresponding C type is `snd_seq_t`.
public final class ALSASequencer: Sequencer {
  /// The client name that other programs see.
  public static let clientName = "Portative"
  /// The client name of a server's MIDI outputs.
  package static let outputClientName = "Portative Outputs"

  /// The size of the kernel's input pool, in events. If more arrive between two reads, the pool overruns.
  public static let capacity = 2000

  /// The size of alsa-lib's input buffer, in bytes. A variable-length event can fill the whole kernel pool. An event
  /// larger than this buffer would never leave the kernel, and would block all events behind it.
  private static let bufferSize = 2 * capacity * MemoryLayout<snd_seq_event_t>.size

  public let client: UInt8
  let handle: OpaquePointer
  let queue: CInt

  /// Opens the sequencer.
  ///
  /// - Throws: ``SequencerError/unavailable(code:)`` if there is no sequencer or access is denied.
  public init(clientName: String = ALSASequencer.clientName) throws(SequencerError) {
    calsa_keep_quiet()
    var handle: OpaquePointer?
    let code = snd_seq_open(&handle, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK)
    guard code == 0, let handle else { throw .unavailable(code: -code) }
    do {
      let number = try check("return the client number", snd_seq_client_id(handle))
      client = UInt8(truncatingIfNeeded: number)
      try check("set the client name", snd_seq_set_client_name(handle, clientName))
      try check("set the input buffer size", snd_seq_set_client_pool_input(handle, Self.capacity))
      try check("set the input buffer size", snd_seq_set_input_buffer_size(handle, Self.bufferSize))
      queue = try check("allocate a queue", snd_seq_alloc_named_queue(handle, clientName))
      let start = CInt(SND_SEQ_EVENT_START.rawValue)
      try check("start the queue", snd_seq_control_queue(handle, queue, start, 0, nil))
      try check("start the queue", snd_seq_drain_output(handle))
    } catch {
      snd_seq_close(handle)
      throw error
    }
    self.handle = handle
  }

  deinit { snd_seq_close(handle) }

  /// A descriptor for `poll`, readable when an event is available.
  public var descriptor: CInt {
    var descriptor = pollfd()
    snd_seq_poll_descriptors(handle, &descriptor, 1, Int16(POLLIN))
    return descriptor.fd
  }

  public func queueTime() throws(SequencerError) -> UInt64 {
    let status = try Self.allocated(snd_seq_queue_status_malloc)
    defer { snd_seq_queue_status_free(status) }
    try check("read the queue time", snd_seq_get_queue_status(handle, queue, status))
    let time = snd_seq_queue_status_get_real_time(status).pointee
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  public func nextEvent() throws(SequencerError) -> SequencerEvent? {
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    while true {
      let code = snd_seq_event_input(handle, &event)
      switch -code {
      case EINTR: continue
      case EAGAIN: return nil
      case ENOSPC: throw .overrun
      default:
        try check("read an event", code)
        return event.map { SequencerEvent($0.pointee) }
      }
    }
  }
}

/// Returns `result`, or throws if it is a negative error code.
@discardableResult
func check(_ operation: String, _ result: CInt) throws(SequencerError) -> CInt {
  if result < 0 { throw .failed(operation: operation, code: -result) }
  return result
}

extension ALSASequencer: Patchbay {
  package func subscriptions() throws(SequencerError) -> [Subscription] {
    var found: [Subscription] = []
    for port in try ports() {
      found += try receivers(from: port.address).map {
        Subscription(sender: port.address, receiver: $0)
      }
    }
    return found
  }
}

extension ALSASequencer {
  public func addPort(named name: String, isOpen: Bool) throws(SequencerError) -> PortAddress {
    let info = try Self.allocated(snd_seq_port_info_malloc)
    defer { snd_seq_port_info_free(info) }
    snd_seq_port_info_set_name(info, name)
    snd_seq_port_info_set_capability(
      info,
      UInt32(
        SND_SEQ_PORT_CAP_WRITE
          | (isOpen ? SND_SEQ_PORT_CAP_SUBS_WRITE : SND_SEQ_PORT_CAP_NO_EXPORT)))
    snd_seq_port_info_set_type(
      info,
      UInt32(
        SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_SYNTHESIZER
          | SND_SEQ_PORT_TYPE_SOFTWARE | SND_SEQ_PORT_TYPE_APPLICATION))
    snd_seq_port_info_set_midi_channels(info, 16)
    snd_seq_port_info_set_timestamping(info, 1)
    snd_seq_port_info_set_timestamp_real(info, 1)
    snd_seq_port_info_set_timestamp_queue(info, queue)
    try check("create the port '\(name)'", snd_seq_create_port(handle, info))
    return PortAddress(snd_seq_port_info_get_addr(info).pointee)
  }

  public func removePort(_ port: PortAddress) throws(SequencerError) {
    try check("remove the port \(port)", snd_seq_delete_port(handle, CInt(port.port)))
  }

  public func ports() throws(SequencerError) -> [SequencerPort] {
    let client = try Self.allocated(snd_seq_client_info_malloc)
    defer { snd_seq_client_info_free(client) }
    let port = try Self.allocated(snd_seq_port_info_malloc)
    defer { snd_seq_port_info_free(port) }
    var ports: [SequencerPort] = []
    snd_seq_client_info_set_client(client, -1)
    while snd_seq_query_next_client(handle, client) == 0 {
      snd_seq_port_info_set_client(port, snd_seq_client_info_get_client(client))
      snd_seq_port_info_set_port(port, -1)
      while snd_seq_query_next_port(handle, port) == 0 {
        ports.append(SequencerPort(port, of: client))
      }
    }
    return ports
  }

  public func connect(_ sender: PortAddress, to receiver: PortAddress) throws(SequencerError) {
    try subscription(sender, receiver, snd_seq_subscribe_port, doneIf: EBUSY)
  }

  public func disconnect(_ sender: PortAddress, from receiver: PortAddress) throws(SequencerError) {
    try subscription(sender, receiver, snd_seq_unsubscribe_port, doneIf: ENOENT)
  }

  public func senders(to port: PortAddress) throws(SequencerError) -> [PortAddress] {
    try others(connectedTo: port, SND_SEQ_QUERY_SUBS_WRITE)
  }

  private func receivers(from port: PortAddress) throws(SequencerError) -> [PortAddress] {
    try others(connectedTo: port, SND_SEQ_QUERY_SUBS_READ)
  }

  /// Returns the ports connected to `port`; an empty array if `port` no longer exists.
  private func others(
    connectedTo port: PortAddress, _ type: snd_seq_query_subs_type_t
  ) throws(SequencerError) -> [PortAddress] {
    let query = try Self.allocated(snd_seq_query_subscribe_malloc)
    defer { snd_seq_query_subscribe_free(query) }
    var port = snd_seq_addr_t(port)
    snd_seq_query_subscribe_set_root(query, &port)
    snd_seq_query_subscribe_set_type(query, type)
    var others: [PortAddress] = []
    snd_seq_query_subscribe_set_index(query, 0)
    while snd_seq_query_port_subscribers(handle, query) == 0 {
      others.append(PortAddress(snd_seq_query_subscribe_get_addr(query).pointee))
      snd_seq_query_subscribe_set_index(query, CInt(others.count))
    }
    return others
  }

  private func subscription(
    _ sender: PortAddress, _ receiver: PortAddress,
    _ call: (OpaquePointer, OpaquePointer) -> CInt, doneIf done: CInt
  ) throws(SequencerError) {
    let subscription = try Self.allocated(snd_seq_port_subscribe_malloc)
    defer { snd_seq_port_subscribe_free(subscription) }
    var sender = snd_seq_addr_t(sender)
    var receiver = snd_seq_addr_t(receiver)
    snd_seq_port_subscribe_set_sender(subscription, &sender)
    snd_seq_port_subscribe_set_dest(subscription, &receiver)
    let code = -call(handle, subscription)
    switch code {
    case 0, done: return
    case EINVAL, EPERM, ENOENT:
      throw .cannotConnect(sender: PortAddress(sender), receiver: PortAddress(receiver))
    default: throw .failed(operation: "change a connection", code: code)
    }
  }

  private static func allocated(
    _ allocate: (UnsafeMutablePointer<OpaquePointer?>) -> CInt
  ) throws(SequencerError) -> OpaquePointer {
    var pointer: OpaquePointer?
    try check("allocate memory", allocate(&pointer))
    guard let pointer else { throw .failed(operation: "allocate memory", code: ENOMEM) }
    return pointer
  }
}

extension SequencerPort {
  fileprivate init(_ port: OpaquePointer, of client: OpaquePointer) {
    let capabilities = CInt(bitPattern: snd_seq_port_info_get_capability(port))
    func has(_ wanted: CInt) -> Bool {
      capabilities & SND_SEQ_PORT_CAP_NO_EXPORT == 0 && capabilities & wanted == wanted
    }
    let card = Int(snd_seq_client_info_get_card(client))
    self.init(
      address: PortAddress(snd_seq_port_info_get_addr(port).pointee),
      clientName: String(cString: snd_seq_client_info_get_name(client)),
      name: String(cString: snd_seq_port_info_get_name(port)),
      sends: has(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ),
      receives: has(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
      device: card < 0 ? nil : DeviceIdentity(card: card))
  }
}
