/// What it takes to show, make and break other clients' connections.
///
/// ``ALSASequencer`` is the real one. Realtime: no. Threads: one at a time.
package protocol Patchbay: AnyObject {
  /// The ports of all clients, in the order of their addresses.
  func ports() throws(SequencerError) -> [SequencerPort]

  /// Everybody's, in the order of their senders' addresses.
  func subscriptions() throws(SequencerError) -> [Subscription]

  /// - Throws: ``SequencerError/cannotConnect(sender:receiver:)`` also when one of them has just gone.
  func connect(_ sender: PortAddress, to receiver: PortAddress) throws(SequencerError)

  func disconnect(_ sender: PortAddress, from receiver: PortAddress) throws(SequencerError)
}
