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
}
