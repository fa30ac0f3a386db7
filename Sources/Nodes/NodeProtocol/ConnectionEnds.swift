/// The reason why a connection was parked. A parked connection renders silence without waiting for the node, until it
/// is initialized again.
public enum ParkReason: UInt8, Codable, Sendable, CustomStringConvertible {
  /// The node missed too many consecutive cycles.
  case late = 1
  /// The host stopped rendering.
  case notRendered

  public var description: String {
    switch self {
    case .late: "the node missed too many consecutive cycles"
    case .notRendered: "the host stopped rendering"
    }
  }
}

/// The reason why a connection has ended.
public enum LossReason: UInt8, Codable, Sendable, CustomStringConvertible {
  /// ``Connection/close()`` was called.
  case closed = 1
  /// The node's process ended, or closed the socket without giving a reason.
  case nodeEnded
  /// The node no longer publishes the port.
  case portWithdrawn
  /// The node did not answer a request in time.
  case noAnswer
  /// The node sent an invalid message.
  case protocolViolation

  public var description: String {
    switch self {
    case .closed: "the host closed it"
    case .nodeEnded: "the node has ended"
    case .portWithdrawn: "the node no longer publishes the port"
    case .noAnswer: "the node does not answer"
    case .protocolViolation: "the node sent an invalid message"
    }
  }
}
