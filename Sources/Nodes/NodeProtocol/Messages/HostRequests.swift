// The requests of a host to a node.

/// Introduces the host. The first message of a connection.
package struct Hello: Request {
  package static let method = "hello"
  package var `protocol`: VersionRange
  package var features: [String]
  package var peer: Peer

  package init(
    protocol: VersionRange = .supported, features: [String] = Feature.supported, peer: Peer
  ) {
    self.protocol = `protocol`
    self.features = features
    self.peer = peer
  }

  package func check(_ response: Response) throws(ProtocolError) {
    let (offered, version) = (`protocol`, response.protocol)
    if version >= offered.minimum, version <= offered.maximum { return }
    throw ProtocolError(
      .badMessage,
      "'result.protocol' must be from \(offered.minimum) to \(offered.maximum), but is \(version)",
      field: "result.protocol")
  }

  package struct Response: Codable, Equatable, Sendable {
    /// The version that both sides use from now on.
    package var `protocol`: Int
    /// The features that both sides have.
    package var features: [String]
    package var peer: Peer

    package init(protocol: Int, features: [String] = [], peer: Peer) {
      self.protocol = `protocol`
      self.features = features
      self.peer = peer
    }
  }
}

/// Requests the node's ports and their state, without the first `offset` ports.
package struct GetReport: ListRequest {
  package static let method = "report"
  package var offset: Int

  package init(offset: Int) { self.offset = offset }

  package struct Response: ListPart, Codable, Equatable, Sendable {
    package var peer: Peer
    /// See ``NodeReport/sound``.
    package var sound: String?
    /// See ``NodeReport/song``.
    package var song: NodeReport.Song?
    package var items: [PortReport]
    package var total: Int

    package init(_ report: NodeReport, total: Int) {
      song = report.song
      peer = report.node
      sound = report.sound
      items = report.ports
      self.total = total
    }
  }
}

/// Asks the node to send a transport command to the host that is connected to a port.
package struct ForwardCommand: Request {
  package static let method = "forwardCommand"
  package typealias Response = Done
  package var component: ComponentDescription
  package var command: RemoteCommand

  package init(_ command: RemoteCommand, component: ComponentDescription) {
    self.command = command
    self.component = component
  }
}

/// Ends everything that sounds in real time, on a port or on all of the node.
package struct Panic: Request {
  package static let method = "panic"
  package typealias Response = Done
  /// `nil`: all ports.
  package var component: ComponentDescription?

  package init(component: ComponentDescription? = nil) { self.component = component }
}
