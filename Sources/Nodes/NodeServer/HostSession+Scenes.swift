import LocalSystem
import NodeProtocol

extension HostSession {
  /// Returns as many names as fit into a packet.
  func scenes(_ request: GetScenes) throws(ProtocolError) -> GetScenes.Response {
    let list = server.scenes?.list ?? SceneList()
    return GetScenes.Response(
      items: list.names.packetPart(from: request.offset), total: list.names.count,
      setListCount: list.setListCount, current: list.current)
  }

  func chooseScene(_ request: ChooseScene) throws(ProtocolError) -> ChooseScene.Response {
    let choice: SceneChoice
    switch (request.name, request.step) {
    case (let name?, _): choice = .named(name)
    case (nil, 1): choice = .step(1)
    case (nil, -1): choice = .step(-1)
    default:
      throw ProtocolError(
        .badMessage, "chooseScene needs a name, or a step of 1 or -1", field: "params.step")
    }
    return ChooseScene.Response(
      scene: try withScenes { scenes throws(Failure) in try scenes.choose(choice) })
  }

  func saveScene(_ request: SaveScene) throws(ProtocolError) -> SaveScene.Response {
    try withScenes { scenes throws(Failure) in
      SaveScene.Response(file: try scenes.save(as: request.name, replaces: request.replaces))
    }
  }

  func zones(_ request: GetZones) throws(ProtocolError) -> GetZones.Response {
    try withScenes { scenes throws(Failure) in
      GetZones.Response(zones: try scenes.zones(of: request.component))
    }
  }

  func setZones(_ request: SetZones) throws(ProtocolError) -> Done {
    try withScenes { scenes throws(Failure) in
      try scenes.setZones(request.zones, of: request.component)
    }
    return Done()
  }

  private func withScenes<Result>(
    _ body: (any NodeScenes) throws(Failure) -> Result
  ) throws(ProtocolError) -> Result {
    guard let scenes = server.scenes else {
      throw ProtocolError(.badSequence, "this node has no scenes")
    }
    do throws(Failure) {
      return try body(scenes)
    } catch {
      throw ProtocolError(.badSequence, error.message)
    }
  }
}
