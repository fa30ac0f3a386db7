import LiveMIDI
import NodeServer
import RenderCore

/// A knob, a key or a button of a keyboard, and what it controls.
struct Control: Hashable, Sendable {
  var trigger: ControlTrigger
  var effect: ControlEffect
  /// The full name of the port whose keyboards have the control; `nil` for those of all ports.
  var port: String?
}

/// What a control controls.
enum ControlEffect: Hashable, Sendable {
  case parameter(ControlledParameter)
  /// Ends everything that sounds, on the control's port or on all.
  case panic
  case scene(ControlledScene)

  /// Whether both control the same, in some way.
  func hasSameGoal(as other: Self) -> Bool {
    if case .parameter(let first) = self, case .parameter(let second) = other {
      return first.identifier == second.identifier
    }
    return self == other
  }
}

/// A parameter that follows a control.
struct ControlledParameter: Hashable, Sendable {
  var identifier: String
  /// The values at the positions 0 and 1; `nil` for those of the parameter.
  var from: Float?
  var to: Float?
  /// Whether it follows only after the control has passed its value; `nil` for the default.
  var picksUp: Bool?
}

/// Which scene a control chooses.
enum ControlledScene: Hashable, Sendable {
  case next, previous
  case named(String)
  /// The scene with the number of a program change, from 0.
  case numbered

  /// Returns the choice that a message of the control makes.
  func choice(by message: ChannelMessage) -> SceneChoice {
    switch self {
    case .next: .step(1)
    case .previous: .step(-1)
    case .named(let name): .named(name)
    case .numbered: .place(Int(message.data1))
    }
  }
}
