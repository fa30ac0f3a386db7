import ALSA

/// A sequencer that returns predefined events and records requests.
final class RecordedSequencer: Sequencer {
  let client: UInt8 = 128
  var others: [SequencerPort] = []
  var own: [SequencerPort] = []
  var connections: [Connection] = []
  /// The events to return in order; errors are thrown.
  var events: [Result<SequencerEvent, SequencerError>] = []
  var time: UInt64 = 0

  struct Connection: Equatable {
    let sender: PortAddress
    let receiver: PortAddress
  }

  func addPort(named name: String, isOpen: Bool) throws(SequencerError) -> PortAddress {
    let address = PortAddress(client: client, port: UInt8(own.count))
    own.append(
      SequencerPort(
        address: address, clientName: "Portative", name: name, sends: false, receives: isOpen))
    return address
  }

  func removePort(_ port: PortAddress) throws(SequencerError) {
    own.removeAll { $0.address == port }
    connections.removeAll { $0.receiver == port }
  }

  func ports() throws(SequencerError) -> [SequencerPort] { others + own }

  func connect(_ sender: PortAddress, to receiver: PortAddress) throws(SequencerError) {
    guard sender == .announcements || others.contains(where: { $0.address == sender }) else {
      throw .cannotConnect(sender: sender, receiver: receiver)
    }
    connections.append(Connection(sender: sender, receiver: receiver))
  }

  func disconnect(_ sender: PortAddress, from receiver: PortAddress) throws(SequencerError) {
    connections.removeAll { $0 == Connection(sender: sender, receiver: receiver) }
  }

  func senders(to port: PortAddress) throws(SequencerError) -> [PortAddress] {
    connections.compactMap { $0.receiver == port ? $0.sender : nil }
  }

  func queueTime() throws(SequencerError) -> UInt64 { time }

  func nextEvent() throws(SequencerError) -> SequencerEvent? {
    events.isEmpty ? nil : try events.removeFirst().get()
  }
}
