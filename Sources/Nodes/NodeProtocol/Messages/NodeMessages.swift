// The messages of a node to a host that are not answers.

/// The port has been parked: its render resources have been freed.
package struct PortParked: Notification {
  package static let method = "parked"
  package var reason: ParkReason

  package init(reason: ParkReason) { self.reason = reason }
}

/// The port is no longer published. The connection ends.
package struct PortRemoved: Notification {
  package static let method = "portRemoved"

  package init() {}
}

/// The unit's latency or tail has changed.
package struct TimingChanged: Notification {
  package static let method = "timingChanged"
  package var latency: Int
  /// In frames; `nil` if unknown.
  package var tail: Int?

  package init(latency: Int, tail: Int?) {
    self.latency = latency
    self.tail = tail
  }
}

/// Another program has changed parameters, channels or files of the unit.
package struct SettingsChanged: Notification {
  package static let method = "settingsChanged"

  package init() {}
}

/// A page for a browser, which the node itself cannot open: the window that the host has asked for with ``ShowWindow``.
package struct ShowPage: Notification {
  package static let method = "showPage"
  /// A link with a secret.
  package var link: String

  package init(link: String) { self.link = link }
}

/// Asks the host to change its transport.
package struct TransportCommand: Request {
  package static let method = "transportCommand"
  package var command: RemoteCommand

  package init(_ command: RemoteCommand) { self.command = command }

  package struct Response: Codable, Equatable, Sendable {
    /// Whether the host carries out the command.
    package var isDone: Bool

    package init(isDone: Bool) { self.isDone = isDone }
  }
}
