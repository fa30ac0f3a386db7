/// Lists, connects and disconnects the ports of all clients of the sequencer.
///
/// ``ALSASequencer`` is the real implementation. Realtime: no. Threads: one at a time.
package protocol Patchbay: AnyObject {
  /// Returns the ports of all clients, sorted by address.
  func ports() throws(SequencerError) -> [SequencerPort]

  /// Returns all subscriptions, sorted by the sender's address.
  func subscriptions() throws(SequencerError) -> [Subscription]

  /// Connects two ports.
  ///
  /// - Throws: ``SequencerError/cannotConnect(sender:receiver:)``, also if one of the ports has just been removed.
  func connect(_ sender: PortAddress, to receiver: PortAddress) throws(SequencerError)

  func disconnect(_ sender: PortAddress, from receiver: PortAddress) throws(SequencerError)
}
