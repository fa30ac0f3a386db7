/// The reason why a connection was parked. A parked connection renders silence without waiting for the node, until it
/// is initialized again.
public enum ParkReason: UInt8, CaseIterable, Sendable, CustomStringConvertible {
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

/// The JSON form is the name of the case.
extension ParkReason: Codable {
  private enum Name: String, Codable { case late, notRendered }

  public init(from decoder: any Decoder) throws {
    self =
      switch try Name(from: decoder) {
      case .late: .late
      case .notRendered: .notRendered
      }
  }

  public func encode(to encoder: any Encoder) throws {
    let name: Name =
      switch self {
      case .late: .late
      case .notRendered: .notRendered
      }
    try name.encode(to: encoder)
  }
}

/// The reason why a connection has ended.
public enum LossReason: UInt8, Sendable, CustomStringConvertible {
  /// ``Connection/close()`` was called.
  case closed = 1
  /// The node's process ended, or closed the socket without giving a reason.
  case nodeEnded
  /// The node no longer publishes the port.
  case portRemoved
  /// The node did not answer a request in time.
  case noAnswer
  /// The node sent an invalid message.
  case protocolViolation

  public var description: String {
    switch self {
    case .closed: "the host closed it"
    case .nodeEnded: "the node has ended"
    case .portRemoved: "the node no longer publishes the port"
    case .noAnswer: "the node does not answer"
    case .protocolViolation: "the node sent an invalid message"
    }
  }
}
