/// A command from a node to its host that changes the host's transport.
///
/// Source: *Inter-App Audio* for the first three commands; *CLAP 1.2*, `transport-control`, for the others.
public enum RemoteCommand: Equatable, Sendable {
  case togglePlay
  case toggleRecord
  case rewind
  /// Starts playing at the current position or at the last start position; the host decides.
  case start
  case stop
  /// Continues playing at the position where the host stopped.
  case `continue`
  /// Moves to a position in quarter notes from the start of the song. Infinity and NaN mean the start.
  case jump(beat: Double)
  case loop(isOn: Bool)

  /// The command with a value that JSON can represent: a jump to infinity or NaN becomes a jump to the start.
  package var jsonSafe: RemoteCommand {
    if case .jump(let beat) = self, !beat.isFinite { .jump(beat: 0) } else { self }
  }

  /// The kind of a command, without its associated values.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case togglePlay, toggleRecord, rewind, start, stop, `continue`, jump, loop
  }

  public var kind: Kind {
    switch self {
    case .togglePlay: .togglePlay
    case .toggleRecord: .toggleRecord
    case .rewind: .rewind
    case .start: .start
    case .stop: .stop
    case .continue: .continue
    case .jump: .jump
    case .loop: .loop
    }
  }
}

/// The JSON form has the kind as `type` beside the values: `{"type": "jump", "beat": 4}`.
extension RemoteCommand: Codable {
  private enum Key: CodingKey { case type, beat, isOn }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    self =
      switch try fields.decode(Kind.self, forKey: .type) {
      case .togglePlay: .togglePlay
      case .toggleRecord: .toggleRecord
      case .rewind: .rewind
      case .start: .start
      case .stop: .stop
      case .continue: .continue
      case .jump: .jump(beat: try fields.decode(Double.self, forKey: .beat))
      case .loop: .loop(isOn: try fields.decode(Bool.self, forKey: .isOn))
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(kind, forKey: .type)
    switch self {
    case .jump(let beat): try fields.encode(beat, forKey: .beat)
    case .loop(let isOn): try fields.encode(isOn, forKey: .isOn)
    default: break
    }
  }
}

/// The result of a command.
public enum RemoteAnswer: Equatable, Sendable, CustomStringConvertible {
  case done
  /// The host supports the command but cannot carry it out now.
  case notNow
  /// The host does not support this kind of command.
  case ignored(supported: [RemoteCommand.Kind])
  /// No host is connected to the port.
  case noHost
  /// The host did not answer within 1 s.
  case noAnswer

  public var description: String {
    switch self {
    case .done: "done"
    case .notNow: "the host cannot do this now"
    case .ignored(let supported):
      supported.isEmpty
        ? "the host supports no commands"
        : "the host does not support this command: it supports "
          + supported.map(\.rawValue).joined(separator: ", ")
    case .noHost: "no host is connected to the port: play it first"
    case .noAnswer: "the host did not answer within 1 s"
    }
  }
}
