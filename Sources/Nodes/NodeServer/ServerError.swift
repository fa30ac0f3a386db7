public import NodeDirectory

/// Why a server cannot run or publish.
public enum ServerError: Error, Sendable, CustomStringConvertible {
  /// The name is taken, or the folder of running nodes is of no use.
  case node(NodeError)
  case manifest(ManifestError)
  /// The port is not as the node's manifest says.
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
