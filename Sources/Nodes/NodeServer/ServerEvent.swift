import NodeDirectory
public import NodeProtocol
import RenderCore

/// What happens at a server, for a log or a panel. Its description is a sentence.
public enum ServerEvent: Sendable, CustomStringConvertible {
  case taken(PublishedPort, Peer)
  case left(PublishedPort, Peer)
  case initialized(PublishedPort, RenderScheduling)
  case parked(PublishedPort, ParkReason)
  /// The unit has not returned from rendering half a second after it was asked to end.
  case hangs(PublishedPort)
  /// The port's host asks for the node to show itself.
  case shown(PublishedPort)
  case refusedStranger(user: UInt32?)
  /// A host could not be let in.
  case notAccepted(reason: String)

  public var description: String {
    switch self {
    case .taken(let port, let host):
      "\(port.description.name): taken by \(host)"
    case .left(let port, let host):
      "\(port.description.name): left by \(host)"
    case .initialized(let port, let scheduling):
      "\(port.description.name): initialized"
        + (port.format.map { ", \($0.sampleRate) Hz, up to \($0.maximumFrames) frames" } ?? "")
        + ", \(scheduling)"
    case .parked(let port, let reason): "\(port.description.name): parked, for \(reason)"
    case .hangs(let port):
      "\(port.description.name): its unit hangs; its thread is left behind until it returns"
    case .shown(let port): "\(port.description.name): its host asks for it to be shown"
    case .refusedStranger(let user):
      "refused a host of user \(user.map(String.init) ?? "unknown")"
    case .notAccepted(let reason): "could not let a host in: \(reason)"
    }
  }
}
