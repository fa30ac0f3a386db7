/// Why a connection was parked: it renders silence without waiting until it is initialized again.
public enum ParkReason: UInt8, Codable, Sendable, CustomStringConvertible {
  /// The node missed too many cycles running.
  case late = 1
  /// The host stopped rendering.
  case notRendered

  public var description: String {
    switch self {
    case .late: "the node missed too many cycles running"
    case .notRendered: "the host stopped rendering"
    }
  }
}

/// Why a connection is over.
public enum LossReason: UInt8, Codable, Sendable, CustomStringConvertible {
  /// ``Connection/close()`` was called.
  case closed = 1
  /// The node's process ended, or closed the socket without a word.
  case nodeEnded
  /// The node does not publish the port any more.
  case portWithdrawn
  /// The node did not answer a request within its time.
  case noAnswer
  /// The node sent what is no answer.
  case nonsense

  public var description: String {
    switch self {
    case .closed: "the host closed it"
    case .nodeEnded: "the node has ended"
    case .portWithdrawn: "the node does not publish the port any more"
    case .noAnswer: "the node does not answer"
    case .nonsense: "the node sent a message that makes no sense"
    }
  }
}
