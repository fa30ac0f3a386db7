public import NodeDirectory
public import NodeProtocol
public import RenderCore

/// How a connection stands.
public enum ConnectionState: Equatable, Sendable, CustomStringConvertible {
  /// The port is ours, and not initialized.
  case open
  case initialized(Format)
  /// As ``open``: what it was initialized with is freed.
  case parked(ParkReason)
  /// Over, for ever.
  case lost(LossReason)

  public var description: String {
    switch self {
    case .open: "not initialized"
    case .initialized(let format):
      "\(format.sampleRate) Hz, \(format.channels) channels, up to \(format.maximumFrames) frames"
    case .parked(let reason): "parked: \(reason)"
    case .lost(let reason): "lost: \(reason)"
    }
  }
}

/// How a host waits for a node's audio.
public enum RenderMode: Sendable {
  /// At most for the length of the cycle less a tenth.
  case realtime
  /// As long as the node gets on with the cycle: for rendering to files. ``Connection/stallLimit`` says how long one
  /// that does not is waited for.
  case offline
}

/// Why a host's request failed.
public enum ConnectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The connection is over; every further call answers the same.
  case connectionLost(LossReason)
  /// The node runs, and said no.
  case refused(ProtocolError)
  case format(FormatError)
  /// Nobody listens at the node's socket.
  case notRunning(node: String)
  /// The node could not be started.
  case launch(LaunchError)
  /// The system refused: no memory, too many descriptors.
  case system(String)
  /// ``Connection/initialize(_:mode:priority:)`` was called while it is initialized.
  case alreadyInitialized

  public var description: String {
    switch self {
    case .connectionLost(let reason): "the connection is lost: \(reason); connect again"
    case .refused(let refusal): refusal.message
    case .format(let error): error.description
    case .notRunning(let node): "the node '\(node)' does not run: start it, then connect again"
    case .launch(let error): error.description
    case .system(let reason): reason
    case .alreadyInitialized:
      "the connection is initialized already: uninitialize it before initializing it anew"
    }
  }
}
