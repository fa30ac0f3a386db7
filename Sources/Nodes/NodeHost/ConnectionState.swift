public import NodeProtocol
public import RenderCore

/// The state of a connection.
public enum ConnectionState: Equatable, Sendable, CustomStringConvertible {
  /// The port is acquired but not initialized.
  case open
  case initialized(Format)
  /// Like ``open``: the node has freed its render resources. The connection can be initialized again.
  case parked(ParkReason)
  /// The connection has ended permanently.
  case lost(LossReason)

  public var description: String {
    switch self {
    case .open: "not initialized"
    case .initialized(let format):
      "\(format.sampleRate) Hz, \(format.outputChannels) channels, up to \(format.maximumFrames) frames"
    case .parked(let reason): "parked: \(reason)"
    case .lost(let reason): "lost: \(reason)"
    }
  }
}

/// How a host waits for a node's audio.
public enum RenderMode: Sendable {
  /// For at most ``Connection/deadlineFraction`` of the cycle's duration.
  case realtime
  /// As long as the node makes progress with the cycle, for rendering to files. ``Connection/stallLimit`` limits the
  /// wait without progress.
  case offline
}

/// The reason why a host's request failed.
public enum ConnectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The connection has ended. Every further call throws the same error.
  case connectionLost(LossReason)
  /// The connection has ended because the node sent an invalid message. Every further call throws the same error.
  case invalidMessage(InvalidMessage)
  /// The node runs and has refused the request.
  case refused(ProtocolError)
  case format(FormatError)
  /// No process listens at the node's socket.
  case notRunning(node: String)
  /// The node could not be started.
  case launch(LaunchError)
  /// A system call failed: for instance, for lack of memory or descriptors.
  case system(String)
  /// ``Connection/initialize(_:mode:priority:)`` was called on an initialized connection.
  case alreadyInitialized

  public var description: String {
    switch self {
    case .connectionLost(let reason): "the connection is lost: \(reason); connect again"
    case .invalidMessage(let message): message.description
    case .refused(let refusal): refusal.message
    case .format(let error): error.description
    case .notRunning(let node): "the node '\(node)' is not running: start it, then connect again"
    case .launch(let error): error.description
    case .system(let reason): reason
    case .alreadyInitialized:
      "the connection is already initialized: uninitialize it before initializing it again"
    }
  }
}
