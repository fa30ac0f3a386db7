/// A client of the ALSA sequencer, with its ports.
///
/// ``ALSASequencer`` is the real implementation; tests can replay recorded events.
///
/// Realtime: no. Threads: one at a time.
public protocol Sequencer: AnyObject {
  /// Our client number.
  var client: UInt8 { get }

  /// Creates a port that receives events with timestamps.
  ///
  /// - Parameter isOpen: Whether other clients may connect to the port. If `false`, programs do not list it.
  func addPort(named name: String, isOpen: Bool) throws(SequencerError) -> PortAddress

  /// Removes one of our ports and its connections.
  func removePort(_ port: PortAddress) throws(SequencerError)

  /// Returns the ports of all clients, including ours, sorted by address.
  func ports() throws(SequencerError) -> [SequencerPort]

  /// Connects `sender` to `receiver`. Does nothing if they are connected already.
  ///
  /// - Throws: ``SequencerError/cannotConnect(sender:receiver:)``, also if one of the ports has just been removed.
  func connect(_ sender: PortAddress, to receiver: PortAddress) throws(SequencerError)

  /// Disconnects `sender` from `receiver`. Does nothing if they are not connected.
  func disconnect(_ sender: PortAddress, from receiver: PortAddress) throws(SequencerError)

  /// Returns the ports connected to one of our ports.
  func senders(to port: PortAddress) throws(SequencerError) -> [PortAddress]

  /// Returns the current queue time, by which events are timestamped; see ``SequencerEvent/time``.
  func queueTime() throws(SequencerError) -> UInt64

  /// Returns the next event received by our ports, without waiting.
  ///
  /// - Returns: `nil` if no event is waiting.
  /// - Throws: ``SequencerError/overrun`` if events arrived faster than they were read. All waiting events are lost;
  ///   later ones are received normally.
  func nextEvent() throws(SequencerError) -> SequencerEvent?
}

extension Sequencer {
  /// Creates a port that other clients may connect to.
  public func addPort(named name: String) throws(SequencerError) -> PortAddress {
    try addPort(named: name, isOpen: true)
  }
}

/// A connection from one ALSA sequencer port to another.
///
/// The corresponding C type is `snd_seq_port_subscribe_t`.
package struct Subscription: Hashable, Sendable {
  package let sender: PortAddress
  package let receiver: PortAddress

  package init(sender: PortAddress, receiver: PortAddress) {
    self.sender = sender
    self.receiver = receiver
  }
}
