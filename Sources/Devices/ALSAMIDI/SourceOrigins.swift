/// Finds out, by who is connected to whom, whether two senders may pass on the same notes: a keyboard, and a program
/// or Midi Through that it is connected to as well.
///
/// A program may send by any of its ports what came to any other; Midi Through and a virtual device pass on by a port
/// what came to that very port; a device sends what is played on it, and passes on nothing. So eight keyboards at an
/// interface with eight sockets stay eight, also where a program sends to one of them what it hears of another.
struct SourceOrigins {
  private let sequencer: any Sequencer
  private let known: [PortAddress: SequencerPort]
  private var origins: [PortAddress: Set<PortAddress>] = [:]
  private var feeders: [PortAddress: [PortAddress]] = [:]

  /// - Parameter known: Other clients' ports.
  init(_ sequencer: any Sequencer, _ known: [PortAddress: SequencerPort]) {
    self.sequencer = sequencer
    self.known = known
  }

  /// Looks where what a port sends may come from: the port itself, and whatever it is fed by.
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

  /// Of senders that were looked for.
  func haveCommonOrigin(_ one: PortAddress, _ other: PortAddress) -> Bool {
    guard let origins = origins[one], let others = self.origins[other] else { return false }
    return !origins.isDisjoint(with: others)
  }

  private mutating func feeders(of port: PortAddress) throws(SequencerError) -> [PortAddress] {
    if let feeders = feeders[port] { return feeders }
    var found: [PortAddress] = []
    for input in inputs(leadingTo: port) { found += try sequencer.senders(to: input) }
    // Every program may listen to the system's timer and announcements.
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
