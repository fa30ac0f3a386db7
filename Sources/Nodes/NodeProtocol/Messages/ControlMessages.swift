package import NodeDirectory
package import RenderCore

// The requests of a program to a node about the controls of keyboards.

/// A knob, a key or a button of a keyboard, and what it controls.
package struct ControlReport: Codable, Equatable, Sendable {
  package enum Origin: String, Codable, Sendable { case learned, configuration }

  /// The message that it sends.
  package enum Message: String, Codable, Sendable {
    case controller
    /// A controller with 14 bits; `number` is that of the upper ones.
    case fineController
    case pitchBend, pressure, note
    /// Without a `number`, any program.
    case program
  }

  package enum Effect: String, Codable, Sendable {
    case parameter, panic, scene, nextScene, previousScene
  }

  package var origin: Origin
  package var message: Message
  package var number: Int?
  /// How the values of the controller are steps; `nil` if they are positions.
  package var relative: EncoderMode?
  /// 1…16; `nil` for all channels.
  package var channel: Int?
  /// `nil` for all keyboards.
  package var keyboard: String?
  package var effect: Effect
  /// The name of the port; `nil` for all ports.
  package var port: String?
  package var parameter: String?
  /// The values at both ends; `nil` for those of the parameter.
  package var from, to: Float?
  package var picksUp: Bool?
  /// The name of the scene.
  package var scene: String?
  /// Why the control has no effect; `nil` if it has.
  package var problem: String?

  package init(_ message: Message, _ effect: Effect, origin: Origin) {
    self.message = message
    self.effect = effect
    self.origin = origin
  }
}

/// Asks the node to wait until a player moves a control, and to assign it.
package struct LearnControl: Request {
  package static let method = "learnControl"
  /// The port of which a parameter or panic is controlled; `nil` for panic of all ports.
  package var component: ComponentDescription?
  /// `nil` for panic.
  package var parameter: String?
  package var from, to: Float?
  /// `nil` for the default of the control.
  package var picksUp: Bool?
  /// How an encoder sends its steps, if one is learned; `nil` for controls that send positions.
  package var relative: EncoderMode?
  /// Whether only keys are learned.
  package var isNote: Bool
  /// The longest wait: above 0, at most ``longestWait``.
  package var seconds: Double

  package static let longestWait = 600.0

  package init(
    of component: ComponentDescription?, parameter: String? = nil, from: Float? = nil,
    to: Float? = nil, picksUp: Bool? = nil, relative: EncoderMode? = nil, isNote: Bool = false,
    seconds: Double
  ) {
    self.component = component
    self.parameter = parameter
    self.from = from
    self.to = to
    self.picksUp = picksUp
    self.relative = relative
    self.isNote = isNote
    self.seconds = seconds
  }

  package struct Response: Codable, Equatable, Sendable {
    /// `nil` if no control was moved in time.
    package var control: ControlReport?
    /// Why the node forgets the control when it ends.
    package var warning: String?

    package init(control: ControlReport? = nil, warning: String? = nil) {
      self.control = control
      self.warning = warning
    }
  }
}

/// Requests the controls, without the first `offset`.
package struct GetControls: Request {
  package static let method = "controls"
  package typealias Response = ItemList<ControlReport>
  package var offset: Int

  package init(offset: Int) { self.offset = offset }
}

/// Forgets learned controls.
package struct ClearControls: Request {
  package static let method = "clearControls"
  package var scope: Scope
  /// The name of the port, which may be gone.
  package var port: String?
  package var parameter: String?

  /// Which controls are forgotten.
  package enum Scope: String, Codable, Sendable {
    case all
    /// Those of the port.
    case port
    /// That of the port's parameter.
    case parameter
    /// That which ends the sound of the port; without one, of all ports.
    case panic
  }

  package init(_ scope: Scope, port: String? = nil, parameter: String? = nil) {
    self.scope = scope
    self.port = port
    self.parameter = parameter
  }

  package struct Response: Codable, Equatable, Sendable {
    /// The number of controls that were forgotten.
    package var count: Int
    /// Why the controls return when the node starts again.
    package var warning: String?

    package init(count: Int, warning: String? = nil) {
      self.count = count
      self.warning = warning
    }
  }
}

extension ControlReport {
  /// What the control does: `reverb.room follows controller 21 on channel 1 of 'Launchkey Mini'`.
  package var sentence: String {
    let action =
      switch effect {
      case .parameter:
        "\(parameter ?? "a parameter") " + (message == .note ? "changes with" : "follows")
      case .panic: "panic\(port == nil ? " of all ports" : "") follows"
      case .scene: "the scene\(scene.map { " '\($0)'" } ?? "") follows"
      case .nextScene: "the next scene follows"
      case .previousScene: "the previous scene follows"
      }
    return "\(action) \(source)"
  }

  /// What the player moves: `controller 21 on channel 1 of 'Launchkey Mini'`.
  package var source: String {
    let number = number.map(String.init)
    let control =
      switch message {
      case .controller:
        "\(relative == nil ? "controller" : "encoder") \(number ?? "?")"
      case .fineController: "the 14-bit controller \(number ?? "?")"
      case .pitchBend: "pitch bend"
      case .pressure: "pressure"
      case .note: "key \(number ?? "?")"
      case .program: number.map { "program \($0)" } ?? "any program"
      }
    return "\(control) on \(channel.map { "channel \($0)" } ?? "any channel") of "
      + (keyboard.map { "'\($0)'" } ?? "any keyboard")
  }
}
