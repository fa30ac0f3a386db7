import CPortative
import NodeProtocol

extension RemoteCommand.Kind {
  /// - Returns: `nil` for unknown values.
  init?(_ kind: portative_command_kind) {
    switch kind {
    case PORTATIVE_TOGGLE_PLAY: self = .togglePlay
    case PORTATIVE_TOGGLE_RECORD: self = .toggleRecord
    case PORTATIVE_REWIND: self = .rewind
    case PORTATIVE_START: self = .start
    case PORTATIVE_STOP: self = .stop
    case PORTATIVE_CONTINUE: self = .continue
    case PORTATIVE_JUMP: self = .jump
    case PORTATIVE_LOOP: self = .loop
    default: return nil
    }
  }
}

extension portative_command_kind {
  init(_ kind: RemoteCommand.Kind) {
    self =
      switch kind {
      case .togglePlay: PORTATIVE_TOGGLE_PLAY
      case .toggleRecord: PORTATIVE_TOGGLE_RECORD
      case .rewind: PORTATIVE_REWIND
      case .start: PORTATIVE_START
      case .stop: PORTATIVE_STOP
      case .continue: PORTATIVE_CONTINUE
      case .jump: PORTATIVE_JUMP
      case .loop: PORTATIVE_LOOP
      }
  }
}

extension RemoteCommand {
  /// - Throws: ``Reason`` for an unknown kind.
  init(_ command: UnsafePointer<portative_command>) throws(Reason) {
    let command = portative_command(command)
    guard let kind = Kind(command.kind) else {
      throw .badArgument(
        "\(command.kind.rawValue) is not a command: use 0 to 7 (portative_command_kind)")
    }
    self =
      switch kind {
      case .togglePlay: .togglePlay
      case .toggleRecord: .toggleRecord
      case .rewind: .rewind
      case .start: .start
      case .stop: .stop
      case .continue: .continue
      case .jump: .jump(beat: command.beat)
      case .loop: .loop(isOn: command.is_on)
      }
  }
}

extension portative_command {
  init(_ command: RemoteCommand) {
    self = .make()
    kind = portative_command_kind(command.kind)
    switch command {
    case .jump(let beat): self.beat = beat
    case .loop(let isOn): is_on = isOn
    default: break
    }
  }
}
