/// Determines from the connections whether two senders may forward the same notes, such as a keyboard and a program
/// or Midi Through that the keyboard is connected to.
///
/// A program may forward events from any of its inputs to any of its outputs. Midi Through and virtual devices forward
/// events only from a port to the same port. A hardware device sends only what is played on it. The eight sockets of
/// an interface therefore remain separate sources, even if a program forwards the events of one socket to another.
struct SourceOrigins {
  private let sequencer: any Sequencer
  private let known: [PortAddress: SequencerPort]
  private var origins: [PortAddress: Set<PortAddress>] = [:]
  private var feeders: [PortAddress: [PortAddress]] = [:]

  /// - Parameter known: The ports of other clients.
  init(_ sequencer: any Sequencer, _ known: [PortAddress: SequencerPort]) {
    self.sequencer = sequencer
    self.known = known
  }

  /// Finds all possible origins of a port's events: the port itself and its direct and indirect feeders.
  mutating func find(of sender: PortAddress) throws(SequencerError) {
    guard origins[sender] == nil else { return }
    var found: Set = [sender]
    var next = [sender]
    while let port = next.popLast() {
      for feeder in try feeders(of: port) where found.insert(feeder).inserted {
        next.append(feeder)
      }
    }
    origins[sender] = found
  }

  /// Returns whether two senders share an origin. ``find(of:)`` must have been called for both.
  func haveCommonOrigin(_ one: PortAddress, _ other: PortAddress) -> Bool {
    guard let origins = origins[one], let others = self.origins[other] else { return false }
    return !origins.isDisjoint(with: others)
  }

  private mutating func feeders(of port: PortAddress) throws(SequencerError) -> [PortAddress] {
    if let feeders = feeders[port] { return feeders }
    var found: [PortAddress] = []
    for input in inputs(leadingTo: port) { found += try sequencer.senders(to: input) }
    // Any program may subscribe to the system's timer and announcements.
    found.removeAll { $0.client == PortAddress.announcements.client }
    feeders[port] = found
    return found
  }

  private func inputs(leadingTo port: PortAddress) -> [PortAddress] {
    guard let sender = known[port] else { return [] }
    let isVirtual = sender.matches(anyOf: WiringRules.virtualDevices)
    if sender.clientName == "Midi Through" || isVirtual { return [port] }
    return sender.device == nil ? known.keys.filter { $0.client == port.client } : []
  }
}
