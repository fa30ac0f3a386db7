package import SoundDevices

/// What a server publishes, and how its ports are played while no host uses them.
package struct ServerSettings: Equatable, Sendable {
  /// The name of the node.
  package var node = Self.defaultNode
  /// The configuration file; `nil` for the user's and the system's.
  package var configuration: String?
  /// The SoundFont of ports that name none; `nil` to search for it.
  package var soundFont: String?
  /// The sound device of the ports that no host uses.
  package var sound = SoundChoice()
  /// Whether keyboards play the ports.
  package var usesKeyboards = true

  /// Whether the ports follow the Link session of the local network while no host uses them.
  package var followsLink = false

  /// The audio file to which the server records what is heard; `nil` to record nothing.
  package var recording: String?

  package static let defaultNode = "portative"

  package init() {}
}
