public import NodeProtocol
public import RenderCore

/// An event of a server, for a log or a user interface. The description is a line of text.
public enum ServerEvent: Sendable, CustomStringConvertible {
  /// A host has acquired the port.
  case taken(PublishedPort, Peer)
  /// The host has released the port.
  case left(PublishedPort, Peer)
  /// A host has initialized the port.
  case initialized(PublishedPort, Format, RenderScheduling)
  case parked(PublishedPort, ParkReason)
  /// The unit did not return from rendering within 0.5 s after its render thread was asked to end.
  case hangs(PublishedPort)
  /// A host of the port asks the node to show its window. The host has a number of its own in this process.
  case shown(PublishedPort, host: Int)
  /// A host of another user was refused; `user` is its user ID, if known.
  case refusedStranger(user: UInt32?)
  /// A host could not be accepted.
  case notAccepted(reason: String)

  public var description: String {
    switch self {
    case .taken(let port, let host):
      "\(port.description.name): taken by \(host)"
    case .left(let port, let host):
      "\(port.description.name): left by \(host)"
    case .initialized(let port, let format, let scheduling):
      "\(port.description.name): initialized, \(format.sampleRate) Hz, up to "
        + "\(format.maximumFrames) frames, \(scheduling)"
    case .parked(let port, let reason): "\(port.description.name): parked because \(reason)"
    case .hangs(let port):
      "\(port.description.name): its unit hangs; its thread keeps running until the unit returns"
    case .shown(let port, _): "\(port.description.name): its host asks the node to show its window"
    case .refusedStranger(let user):
      "refused a host of user \(user.map(String.init) ?? "unknown")"
    case .notAccepted(let reason): "could not accept a host: \(reason)"
    }
  }
}
