import ALSA

/// A simulated sequencer with the given ports and connections.
final class MadeUpPatchbay: Patchbay {
  var all: [SequencerPort]
  var wired: [Subscription] = []

  init(_ ports: [SequencerPort]) { all = ports }

  func ports() throws(SequencerError) -> [SequencerPort] { all }
  func subscriptions() throws(SequencerError) -> [Subscription] { wired }

  func connect(_ sender: PortAddress, to receiver: PortAddress) throws(SequencerError) {
    guard all.contains(where: { $0.address == sender }) else {
      throw .cannotConnect(sender: sender, receiver: receiver)
    }
    wired.append(Subscription(sender: sender, receiver: receiver))
  }

  func disconnect(_ sender: PortAddress, from receiver: PortAddress) throws(SequencerError) {
    wired.removeAll { $0 == Subscription(sender: sender, receiver: receiver) }
  }
}
