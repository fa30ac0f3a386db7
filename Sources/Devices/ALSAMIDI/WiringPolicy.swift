/// Decides what is connected to our ports; ``SequencerBridge`` asks it about all that happens, and does
/// what it says.
///
/// Threads: any, one at a time; it is asked about one happening after the other, in the order in which
/// they happened. It may read and write files, but what is played waits for it.
package protocol WiringPolicy: Sendable {
  /// - Returns: What to do about it, in this order. What cannot be done, for a port has gone since, is
  ///   left out; what is as it should be already, stays. What is done is told in turn, as
  ///   ``WiringHappening/subscribed(sender:receiver:)`` and
  ///   ``WiringHappening/unsubscribed(sender:receiver:)``: these do not say who did it.
  mutating func react(to happening: PortChange) -> [WiringAction]
}

/// What may matter to what is connected.
package enum PortChange: Equatable, Sendable {
  /// Another client's port is there; those that are there when the bridge begins appear then. After
  /// an overrun all vanish and appear again, for it is not known which did.
  case appeared(SequencerPort)
  /// It has another name, or is open to others now or no more; what it is connected to stays.
  case changed(SequencerPort)
  /// It is gone, and so is what it was connected to, which need not be told for itself.
  case vanished(SequencerPort)
  /// A port of ours is there; nothing is connected to it.
  case ownPortAdded(SequencerPort)
  /// A port of ours is gone, and so is what was connected to it, which is not told for itself.
  case ownPortRemoved(PortAddress)
  /// Somebody, or we, connected these; any two ports of the sequencer.
  case subscribed(sender: PortAddress, receiver: PortAddress)
  /// Somebody, or we, disconnected these; never told because one of them vanished.
  ///
  /// The kernel tells both with the same event. When somebody disconnects, it goes to all that listen to
  /// ``PortAddress/announcements``. That goes also, whoever did it and even if nobody did, to the receiver
  /// itself; before a keyboard's port is announced to be gone, so it cannot be told by what follows.
  /// Hence only what comes to the port that listens counts.
  ///
  /// Source: the kernel's `sound/core/seq/seq_clientmgr.c`, `snd_seq_ioctl_unsubscribe_port`, and
  /// `seq_ports.c`, `clear_subscriber_list`.
  case unsubscribed(sender: PortAddress, receiver: PortAddress)
}

/// What is to be done about it.
package enum WiringAction: Equatable, Sendable {
  case connect(sender: PortAddress, receiver: PortAddress)
  case disconnect(sender: PortAddress, receiver: PortAddress)
}

/// Connects nothing by itself: what is wired is left to others.
package struct ManualWiring: WiringPolicy {
  package init() {}
  package mutating func react(to happening: PortChange) -> [WiringAction] { [] }
}
