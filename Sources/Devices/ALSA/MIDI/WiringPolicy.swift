/// Decides which ports are connected to our ports. ``SequencerBridge`` reports every change to it and executes its
/// actions.
///
/// Threads: any, one at a time, in the order of the changes. It may read and write files, but events are not played
/// while it runs.
package protocol WiringPolicy: Sendable {
  /// Returns the actions required by a change.
  ///
  /// - Returns: The actions in the order of execution. An action that is impossible because a port has disappeared is
  ///   skipped; one that has no effect is harmless. Executed actions are reported as
  ///   ``PortChange/subscribed(sender:receiver:)`` and ``PortChange/unsubscribed(sender:receiver:)``, like those of
  ///   other programs.
  mutating func react(to change: PortChange) -> [WiringAction]
}

/// A change of ports or connections that may affect the wiring.
package enum PortChange: Equatable, Sendable {
  /// Another client's port has appeared. Ports that exist when the bridge starts are reported then. After an overrun,
  /// all ports vanish and appear again, because it is unknown which have changed.
  case appeared(SequencerPort)
  /// The name or the access rights have changed. The port's connections have not.
  case changed(SequencerPort)
  /// The port has vanished with its connections, which are not reported separately.
  case vanished(SequencerPort)
  /// One of our ports was added. Nothing is connected to it.
  case ownPortAdded(SequencerPort)
  /// One of our ports was removed with its connections, which are not reported separately.
  case ownPortRemoved(PortAddress)
  /// Two ports of the sequencer were connected, by us or by another program.
  case subscribed(sender: PortAddress, receiver: PortAddress)
  /// Two ports were disconnected, by us or by another program; not reported if one of them has vanished.
  ///
  /// The kernel sends the same event in both cases. When a program disconnects two ports, the event goes to all
  /// subscribers of ``PortAddress/announcements``. The receiver itself gets it for any reason, including a vanished
  /// sender, and before the sender's exit is announced, so later events cannot tell the cases apart. Therefore only
  /// the event at the announcement port counts.
  ///
  /// Source: the kernel's `sound/core/seq/seq_clientmgr.c`, `snd_seq_ioctl_unsubscribe_port`, and
  /// `seq_ports.c`, `clear_subscriber_list`.
  case unsubscribed(sender: PortAddress, receiver: PortAddress)
}

/// An action requested by a ``WiringPolicy``.
package enum WiringAction: Equatable, Sendable {
  case connect(sender: PortAddress, receiver: PortAddress)
  case disconnect(sender: PortAddress, receiver: PortAddress)
}

/// A policy that never connects anything; all connections are left to the user.
package struct ManualWiring: WiringPolicy {
  package init() {}
  package mutating func react(to change: PortChange) -> [WiringAction] { [] }
}
