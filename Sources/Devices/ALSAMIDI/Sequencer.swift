/// What we need of the ALSA sequencer: one client of it, with its ports.
///
/// ``ALSASequencer`` is the real one; a test may give what was recorded of it.
///
/// Realtime: no. Threads: one at a time.
public protocol Sequencer: AnyObject {
  /// Our own number among the clients.
  var client: UInt8 { get }

  /// Makes a port of ours, to receive what it is connected to; its events are stamped.
  ///
  /// - Parameter isOpen: Whether others may connect to it; if not, programs do not list it.
  func addPort(named name: String, isOpen: Bool) throws(SequencerError) -> PortAddress

  /// Removes a port of ours, and with it what it is connected to.
  func removePort(_ port: PortAddress) throws(SequencerError)

  /// The ports of all clients, ours among them, in the order of their addresses.
  func ports() throws(SequencerError) -> [SequencerPort]

  /// Lets `receiver` have what `sender` sends. They may be so connected already.
  ///
  /// - Throws: ``SequencerError/cannotConnect(sender:receiver:)`` also when one of them has just gone.
  func connect(_ sender: PortAddress, to receiver: PortAddress) throws(SequencerError)

  /// Undoes ``connect(_:to:)``. They need not be connected.
  func disconnect(_ sender: PortAddress, from receiver: PortAddress) throws(SequencerError)

  /// The ports whose events a port of ours receives.
  func senders(to port: PortAddress) throws(SequencerError) -> [PortAddress]

  /// What the clock says now by which events are stamped: ``SequencerEvent/time``.
  func queueTime() throws(SequencerError) -> UInt64

  /// The next event that one of our ports was sent. Does not wait.
  ///
  /// - Returns: `nil` when there is none.
  /// - Throws: ``SequencerError/overrun`` when events came faster than they were taken: all that
  ///   waited are lost, and what comes after follows.
  func nextEvent() throws(SequencerError) -> SequencerEvent?
}

extension Sequencer {
  /// Makes a port of ours that others may connect to.
  public func addPort(named name: String) throws(SequencerError) -> PortAddress {
    try addPort(named: name, isOpen: true)
  }
}
