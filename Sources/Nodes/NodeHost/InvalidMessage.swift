/// A message of a node that contradicts the protocol: a defect of the node.
public struct InvalidMessage: Equatable, Sendable, CustomStringConvertible {
  /// The name of the node.
  public var node: String
  /// The process of the node; `nil` if it is unknown.
  public var processID: Int32?
  /// The method of the message, or of the request that it answers; `nil` if it has none.
  public var method: String?
  /// Whether it answers a request.
  public var isAnswer: Bool
  /// The path of the invalid field, such as `result.unit.latency`; `nil` if the whole message is invalid.
  public var field: String?
  /// The limit, and the value found.
  public var reason: String

  public var description: String { "\(problem); end the node, and use another version of it" }

  /// The description without the remedy.
  package var problem: String {
    let process = processID.map { " (process \($0))" } ?? ""
    let message =
      switch method {
      case let method? where isAnswer: "answer to '\(method)'"
      case let method?: "message '\(method)'"
      case nil: "message"
      }
    return "the node '\(node)'\(process) sent an invalid \(message): \(reason)"
  }
}
