/// What a node asks of the host that plays it: to move its transport.
///
/// Source: *Inter-App Audio* has the first three; *CLAP 1.2*, `transport-control`, the others.
public enum RemoteCommand: Codable, Equatable, Sendable {
  case togglePlay
  case toggleRecord
  case rewind
  /// Plays, from where it is or from where it was started last, as the host has it.
  case start
  case stop
  /// Plays from where it stopped.
  case `continue`
  /// Goes to a place, in quarter notes from the beginning, which is where infinity and NaN are as well.
  case jump(beat: Double)
  case loop(isOn: Bool)

  /// What can be said of it in a message: a jump to no number is one to the beginning.
  package var jsonSafe: RemoteCommand {
    if case .jump(let beat) = self, !beat.isFinite { .jump(beat: 0) } else { self }
  }

  /// A command without what it says beyond its name.
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

/// What became of a command.
public enum RemoteAnswer: Equatable, Sendable, CustomStringConvertible {
  case done
  /// The host takes it, but not now.
  case notNow
  /// The host does not take commands of this kind: it takes these.
  case ignored(taken: [RemoteCommand.Kind])
  /// No host has the port.
  case noHost
  /// The host has not answered within a second.
  case noAnswer

  public var description: String {
    switch self {
    case .done: "done"
    case .notNow: "the host does not do it now"
    case .ignored(let taken):
      taken.isEmpty
        ? "the host takes no commands"
        : "the host does not take this command: it takes "
          + taken.map(\.rawValue).joined(separator: ", ")
    case .noHost: "no host has the port: play it first"
    case .noAnswer: "the host has not answered within a second"
    }
  }
}
