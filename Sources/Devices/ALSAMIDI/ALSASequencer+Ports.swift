import CALSA
import Glibc

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

  func receivers(from port: PortAddress) throws(SequencerError) -> [PortAddress] {
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

  static func allocated(
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
