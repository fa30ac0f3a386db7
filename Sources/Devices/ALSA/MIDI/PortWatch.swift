/// Tracks the ports of other clients.
///
/// The reported changes are complete and in order. Ports that exist at the first ``rescan()`` are reported as appeared.
/// A port that disappears and returns under the same address, such as a keyboard that is plugged in again, is reported
/// as vanished and then appeared, even if both happened since the last call.
///
/// Realtime: no. Threads: one at a time, the sequencer's.
struct PortWatch {
  private let sequencer: any Sequencer
  /// Our port that receives the system's announcements.
  let announcementPort: PortAddress
  private(set) var known: [PortAddress: SequencerPort] = [:]
  private var names = KeyboardNames()

  /// Creates a private port and connects it to the system's announcements.
  init(_ sequencer: any Sequencer) throws(SequencerError) {
    self.sequencer = sequencer
    announcementPort = try sequencer.addPort(named: "Announcements", isOpen: false)
    try sequencer.connect(.announcements, to: announcementPort)
  }

  /// Reads all ports. Call this once at the start, and again after ``SequencerError/overrun``, because announcements
  /// may have been lost.
  ///
  /// - Returns: All known ports as vanished, because any of them may have been replaced meanwhile; then all existing
  ///   ports as appeared. Both parts are sorted by address.
  mutating func rescan() throws(SequencerError) -> [PortChange] {
    let gone = sorted(known.values).map(PortChange.vanished)
    known = [:]
    for port in try sequencer.ports() where port.address.client != sequencer.client {
      known[port.address] = names.named(port)
    }
    return gone + sorted(known.values).map(PortChange.appeared)
  }

  /// Handles an event read from the sequencer.
  ///
  /// - Returns: The resulting changes; empty for events other than announcements.
  mutating func handle(_ event: SequencerEvent) throws(SequencerError) -> [PortChange] {
    guard event.source == .announcements, case .announcement(let announcement) = event.content
    else { return [] }
    switch announcement {
    case .portExited(let address):
      return known.removeValue(forKey: address).map { [.vanished($0)] } ?? []
    case .clientExited(let client):
      let gone = sorted(known.values.filter { $0.address.client == client })
      for port in gone { known[port.address] = nil }
      return gone.map(PortChange.vanished)
    case .portStarted(let address), .portChanged(let address):
      return try refresh(address)
    case .clientStarted, .clientChanged, .subscribed, .unsubscribed:
      return []
    }
  }

  /// Sets the names of keyboards.
  ///
  /// - Returns: The ports whose names have changed.
  mutating func setNames(_ names: KeyboardNames) throws(SequencerError) -> [PortChange] {
    if names == self.names { return [] }
    self.names = names
    var changes: [PortChange] = []
    for port in try sequencer.ports().map(names.named)
    where known[port.address].map({ $0 != port }) ?? false {
      known[port.address] = port
      changes.append(.changed(port))
    }
    return changes
  }

  /// Reads one port again. Returns no change if the port no longer exists; its removal is announced separately.
  private mutating func refresh(_ address: PortAddress) throws(SequencerError) -> [PortChange] {
    guard address.client != sequencer.client,
      let port = try sequencer.ports().first(where: { $0.address == address }).map(names.named),
      port != known[address]
    else { return [] }
    let isNew = known.updateValue(port, forKey: address) == nil
    return [isNew ? .appeared(port) : .changed(port)]
  }

  private func sorted(_ ports: some Sequence<SequencerPort>) -> [SequencerPort] {
    ports.sorted { $0.isBefore($1) }
  }
}
