/// Keeps track of other clients' ports while they come and go.
///
/// What it tells is complete and in order: a port that is there when the watch begins has appeared;
/// one that goes and returns under the same address, as a keyboard may that is plugged in again,
/// has vanished and appeared, even where both happened since the last look.
///
/// Realtime: no. Threads: one at a time, the sequencer's.
public struct PortWatch {
  /// What happened to another client's port.
  public enum Change: Equatable, Sendable {
    case appeared(SequencerPort)
    /// It has another name, or is open to others now or no more; what it is connected to stays.
    case changed(SequencerPort)
    case vanished(SequencerPort)
  }

  private let sequencer: any Sequencer
  /// The port of ours that is told what others do.
  let ear: PortAddress
  private(set) var known: [PortAddress: SequencerPort] = [:]

  /// Begins to watch, with a port of our client's own.
  public init(_ sequencer: any Sequencer) throws(SequencerError) {
    self.sequencer = sequencer
    ear = try sequencer.addPort(named: "Announcements", isOpen: false)
    try sequencer.connect(.announcements, to: ear)
  }

  /// Looks at all ports: to be called once at first, and again after ``SequencerError/overrun``, for
  /// announcements may have been lost by it.
  ///
  /// - Returns: All that were known as vanished, for whether they were gone for a while cannot be
  ///   known, and then all that are there as appeared.
  public mutating func lookAround() throws(SequencerError) -> [Change] {
    let gone = sorted(known.values).map(Change.vanished)
    known = [:]
    for port in try sequencer.ports() where port.address.client != sequencer.client {
      known[port.address] = port
    }
    return gone + sorted(known.values).map(Change.appeared)
  }

  /// Takes an event that the sequencer gave; of others than announcements nothing follows.
  public mutating func take(_ event: SequencerEvent) throws(SequencerError) -> [Change] {
    guard event.source == .announcements, case .announcement(let announcement) = event.content
    else { return [] }
    switch announcement {
    case .portExited(let address):
      return known.removeValue(forKey: address).map { [.vanished($0)] } ?? []
    case .clientExited(let client):
      let gone = sorted(known.values.filter { $0.address.client == client })
      for port in gone { known[port.address] = nil }
      return gone.map(Change.vanished)
    case .portStarted(let address), .portChanged(let address):
      return try look(at: address)
    case .clientStarted, .clientChanged, .subscribed, .unsubscribed:
      return []
    }
  }

  /// Finds nothing where a port has gone since; that it has will be announced as well.
  private mutating func look(at address: PortAddress) throws(SequencerError) -> [Change] {
    guard address.client != sequencer.client,
      let port = try sequencer.ports().first(where: { $0.address == address }),
      port != known[address]
    else { return [] }
    let isNew = known.updateValue(port, forKey: address) == nil
    return [isNew ? .appeared(port) : .changed(port)]
  }

  private func sorted(_ ports: some Sequence<SequencerPort>) -> [SequencerPort] {
    ports.sorted { $0.isBefore($1) }
  }
}
