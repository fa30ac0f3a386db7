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
    let choice: SceneSelection
    switch (request.name, request.step) {
    case (let name?, _): choice = .named(name)
    case (nil, 1): choice = .step(1)
    case (nil, -1): choice = .step(-1)
    default:
      throw ProtocolError(
        .badMessage, "chooseScene needs a name, or a step of 1 or -1", field: "params.step")
    }
    guard let scenes = server.scenes else {
      throw ProtocolError(.badSequence, "this node has no scenes")
    }
    do throws(Failure) {
      return ChooseScene.Response(scene: try scenes.choose(choice))
    } catch {
      throw ProtocolError(.badSequence, error.message)
    }
  }
}
