public import NodeProtocol

/// A transport that a port follows while no host has it, such as that of a JACK server.
///
/// Threads: any. Realtime: no.
public protocol TransportControl: Sendable {
  /// The commands that it can execute, in the order in which they are reported.
  var commands: [RemoteCommand.Kind] { get }

  /// Executes a command.
  ///
  /// - Returns: `false` if it cannot be executed now.
  func execute(_ command: RemoteCommand) -> Bool
}
