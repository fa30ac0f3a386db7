@testable import ALSABridge

/// Gives what a sequencer said, and keeps what it was asked.
final class RecordedSequencer: Sequencer {
  let client: UInt8 = 128
  var others: [SequencerPort] = []
  var own: [SequencerPort] = []
  var connections: [String] = []
  var events: [SequencerEvent] = []

  func addPort(named name: String) throws(SequencerError) -> PortAddress {
    let address = PortAddress(client: client, port: UInt8(own.count))
    own.append(
      SequencerPort(
        address: address, clientName: "Portative", name: name, sends: false, receives: true))
    return address
  }

  func removePort(_ port: PortAddress) throws(SequencerError) {
    own.removeAll { $0.address == port }
  }

  func ports() throws(SequencerError) -> [SequencerPort] { others + own }

  func connect(_ sender: PortAddress, to receiver: PortAddress) throws(SequencerError) {
    connections.append("\(sender) to \(receiver)")
  }

  func disconnect(_ sender: PortAddress, from receiver: PortAddress) throws(SequencerError) {
    connections.removeAll { $0 == "\(sender) to \(receiver)" }
  }

  func nextEvent() throws(SequencerError) -> SequencerEvent? {
    events.isEmpty ? nil : events.removeFirst()
  }
}
