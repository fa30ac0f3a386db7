package import RenderCore

// The requests of a program to a node about the controls of keyboards.

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
package struct GetControls: ListRequest {
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
  package enum Scope: String, CaseIterable, Codable, Sendable {
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
