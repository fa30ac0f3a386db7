public import NodeProtocol

/// The reason why a server cannot run or publish a port.
public enum ServerError: Error, Sendable, CustomStringConvertible {
  /// The name is in use, or the runtime folder is unusable.
  case node(NodeError)
  case manifest(ManifestError)
  /// The port differs from the node's manifest.
  case publish(PublishError)
  case system(String)

  public var description: String {
    switch self {
    case .node(let error): error.description
    case .manifest(let error): error.description
    case .publish(let error): error.description
    case .system(let reason): reason
    }
  }
}
