package import NodeDirectory
import NodeProtocol

/// The scenes of a node.
public struct NodeSceneList: Codable, Equatable, Sendable {
  /// The names of the scenes in the order of the set list.
  public var setList: [String]
  /// The names of the scenes that are not in the set list.
  public var others: [String]
  /// The name of the current scene; `nil`: none has been chosen.
  public var current: String?
}

extension AudioHost {
  /// Returns the scenes of a node.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Parameter node: The name of a running node.
  /// - Throws: ``ConnectionError``: `refused` with `unknownMethod` by a node of an earlier version.
  public func scenes(of node: String) throws(ConnectionError) -> NodeSceneList {
    let link = try openLink(node, socketPath(ofNode: node))
    defer { link.close() }
    var (setListCount, current): (Int, String?) = (0, nil)
    let names = try link.requestAll { offset throws(ConnectionError) in
      let part = try link.send(GetScenes(offset: offset), seconds: ControlLink.preparationLimit)
      (setListCount, current) = (part.setListCount, part.current)
      return (part.items, part.total)
    }
    guard 0...names.count ~= setListCount else { throw link.protocolViolation() }
    return NodeSceneList(
      setList: Array(names[..<setListCount]), others: Array(names[setListCount...]),
      current: current)
  }

  /// Chooses a scene of a node by its name, or by a part that no other scene has.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Returns: The name of the scene.
  /// - Throws: ``ConnectionError``: `refused` if there is no such scene or if it cannot be played. The current scene
  ///   remains then.
  @discardableResult
  public func chooseScene(_ name: String, of node: String) throws(ConnectionError) -> String {
    try choose(ChooseScene(name: name), of: node)
  }

  /// Chooses the next or the previous scene of a node's set list. Scenes that cannot be played are left out.
  ///
  /// - Returns: The name of the scene.
  /// - Throws: ``ConnectionError``: `refused` at the end of the list.
  @discardableResult
  public func chooseNextScene(
    of node: String, backwards: Bool = false
  ) throws(ConnectionError) -> String {
    try choose(ChooseScene(step: backwards ? -1 : 1), of: node)
  }

  private func choose(
    _ request: ChooseScene, of node: String
  ) throws(ConnectionError) -> String {
    try ask(node, socketPath(ofNode: node), request, seconds: ControlLink.preparationLimit).scene
  }

  /// Saves what keyboards play on a node as a scene in its configuration, and chooses it.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Parameter replaces: Whether to replace a scene of this name.
  /// - Returns: The path of the configuration file.
  /// - Throws: ``ConnectionError``: `refused` if the scene cannot be saved.
  package func saveScene(
    _ name: String, of node: String, replaces: Bool
  ) throws(ConnectionError) -> String {
    try ask(
      node, socketPath(ofNode: node), SaveScene(name: name, replaces: replaces),
      seconds: ControlLink.preparationLimit
    ).file
  }

  /// Returns what parts of keyboards play on a port, as a list of zones in the notation of the configuration; `nil` if
  /// its unit plays everything.
  package func zones(of component: Component) throws(ConnectionError) -> String? {
    try ask(
      component.node, socketPath(ofNode: component.node),
      GetZones(component: component.port.component)
    ).zones
  }

  /// Replaces the zones of a port until a scene is chosen.
  ///
  /// - Parameter zones: A list of zones in the notation of the configuration; `nil`: those of the scene or of the
  ///   configuration.
  /// - Throws: ``ConnectionError``: `refused` if the zones cannot be played.
  package func setZones(_ zones: String?, of component: Component) throws(ConnectionError) {
    _ = try ask(
      component.node, socketPath(ofNode: component.node),
      SetZones(component: component.port.component, zones: zones),
      seconds: ControlLink.preparationLimit)
  }
}
