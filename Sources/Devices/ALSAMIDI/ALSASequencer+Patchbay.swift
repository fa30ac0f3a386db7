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
