/// Asks a node for the names of its scenes.
package struct GetScenes: ListRequest {
  package static let method = "scenes"
  /// The number of scenes to leave out, because earlier responses have listed them.
  package var offset: Int

  package init(offset: Int) { self.offset = offset }

  package func check(_ response: Response) throws(ProtocolError) {
    try checkPart(response)
    if response.setListCount <= response.total { return }
    throw ProtocolError(
      .badMessage,
      "'result.setListCount' must be from 0 to \(response.total), but is \(response.setListCount)",
      field: "result.setListCount")
  }

  package struct Response: ListPart, Codable, Equatable, Sendable {
    /// The scenes of the set list in their order, then all others. A packet may not hold all.
    package var items: [String]
    /// The number of all items.
    package var total: Int
    /// How many of all items are the set list.
    package var setListCount: Int
    /// The name of the current scene; `nil`: none has been chosen.
    package var current: String?
    /// The next scene of the set list; `nil` at its end.
    package var next: String?
    /// The transposition of all ports in semitones; `nil` for none.
    package var transposition: Int?
    /// What the player wants to read in the current scene.
    package var text: String?

    package init(items: [String], total: Int, setListCount: Int, current: String?) {
      self.items = items
      self.total = total
      self.setListCount = setListCount
      self.current = current
    }
  }
}

/// Chooses a scene of a node.
package struct ChooseScene: Request {
  package static let method = "chooseScene"
  /// The scene's name, or a part that no other scene has; `nil`: see ``step``.
  package var name: String?
  /// 1: the next scene of the set list; −1: the previous one. Ignored with a name.
  package var step: Int?

  package init(name: String) { self.name = name }

  package init(step: Int) { self.step = step }

  package struct Response: Codable, Equatable, Sendable {
    /// The name of the scene.
    package var scene: String

    package init(scene: String) { self.scene = scene }
  }
}

/// Transposes what keyboards play on all ports of a node, drums excepted.
package struct Transpose: Request {
  package static let method = "transpose"
  /// In semitones, besides the transposition of the scene; `nil`: see ``step``.
  package var semitones: Int?
  /// In semitones, added to the present transposition. Ignored with ``semitones``.
  package var step: Int?

  package init(semitones: Int) { self.semitones = semitones }

  package init(step: Int) { self.step = step }

  package struct Response: Codable, Equatable, Sendable {
    /// The transposition by the scene and the player, in semitones.
    package var transposition: Int

    package init(transposition: Int) { self.transposition = transposition }
  }
}

/// Saves what keyboards play as a scene in the configuration of a node, and chooses it.
package struct SaveScene: Request {
  package static let method = "saveScene"
  package var name: String
  /// Whether to replace a scene of this name.
  package var replaces: Bool

  package init(name: String, replaces: Bool) {
    self.name = name
    self.replaces = replaces
  }

  package struct Response: Codable, Equatable, Sendable {
    /// The path of the configuration file.
    package var file: String

    package init(file: String) { self.file = file }
  }
}

/// Asks a node what parts of keyboards play on a port.
package struct GetZones: Request {
  package static let method = "zones"
  package var component: ComponentDescription

  package init(component: ComponentDescription) { self.component = component }

  package struct Response: Codable, Equatable, Sendable {
    /// A list of zones in the notation of the configuration; `nil` if the port's unit plays everything.
    package var zones: String?

    package init(zones: String?) { self.zones = zones }
  }
}

/// Replaces the zones of a port until a scene is chosen.
package struct SetZones: Request {
  package static let method = "setZones"
  package typealias Response = Done
  package var component: ComponentDescription
  /// A list of zones in the notation of the configuration; `nil`: those of the scene or of the configuration.
  package var zones: String?

  package init(component: ComponentDescription, zones: String?) {
    self.component = component
    self.zones = zones
  }
}
