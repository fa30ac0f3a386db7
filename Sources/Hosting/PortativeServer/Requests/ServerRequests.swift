import LocalSystem
import NodeProtocol
import NodeServer
import RenderCore

/// The requests of a server that keyboards play: for scenes, zones, takes, controls and the song.
struct ServerRequests: RequestExtension {
  let scenes: SceneControl
  let controls: ServerControls
  /// `nil`: there is no sound device, so that nothing is recorded.
  let takes: RecordedTakes?
  let song: ServerSong

  var playedSong: NodeReport.Song? { song.report }

  var features: [String] { Feature.ofKeyboards }

  func silence() { song.silence() }

  func makeHandler(for server: NodeServer) -> any RequestHandler {
    ServerRequestHandler(self, server)
  }

  func source(ofUnit number: Int, of port: PublishedPort) -> (any RenderUnitSource)? {
    takes?.source(ofUnit: number, of: port)
  }
}

/// Checks the requests of one connection, and passes them on.
private final class ServerRequestHandler: RequestHandler {
  private let requests: ServerRequests
  private let server: NodeServer
  private var transfer = TakeTransfer()
  private var songParts = PartReceiver("song", limit: LoadSong.longestFile)

  init(_ requests: ServerRequests, _ server: NodeServer) {
    self.requests = requests
    self.server = server
  }

  func response(to request: ReceivedRequest) throws(ProtocolError) -> any Encodable & Sendable {
    switch request.method {
    case GetScenes.method: try request.answer(by: sceneList)
    case ChooseScene.method: try request.answer(by: chooseScene)
    case Transpose.method: try request.answer(by: transpose)
    case SaveScene.method: try request.answer(by: saveScene)
    case GetZones.method: try request.answer(by: zones)
    case SetZones.method: try request.answer(by: setZones)
    case GetTake.method: try request.answer(by: take)
    case GetSong.method: try request.answer { (_: GetSong) in requests.song.status }
    case GetSongWords.method: try request.answer(by: songWords)
    case LoadSong.method: try request.answer(by: loadSong)
    case UnloadSong.method:
      try request.answer { (_: UnloadSong) in
        requests.song.unload()
        return requests.song.status
      }
    case CommandSong.method: try request.answer(by: commandSong)
    case ChangeSong.method: try request.answer(by: changeSong)
    case LearnControl.method:
      try request.answer { (learn: LearnControl) throws(ProtocolError) in
        try self.learn(learn, request)
      }
    case GetControls.method: try request.answer(by: controls)
    case ClearControls.method: try request.answer(by: requests.controls.clear)
    default: throw .unknownMethod(request.method)
    }
  }

  // MARK: Scenes and zones

  /// Returns as many names as fit into a packet.
  private func sceneList(_ request: GetScenes) -> GetScenes.Response {
    let list = requests.scenes.list
    var response = GetScenes.Response(
      items: list.names.packetPart(from: request.offset), total: list.names.count,
      setListCount: list.setListCount, current: list.current)
    response.next = list.next
    response.transposition = list.transposition == 0 ? nil : list.transposition
    response.text = list.text
    return response
  }

  private func chooseScene(_ request: ChooseScene) throws(ProtocolError) -> ChooseScene.Response {
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

  private func transpose(_ request: Transpose) throws(ProtocolError) -> Transpose.Response {
    guard let number = request.semitones ?? request.step else {
      throw ProtocolError(
        .badMessage, "transpose needs semitones, or a step", field: "params.semitones")
    }
    let isStep = request.semitones == nil
    let limit = isStep ? SceneControl.largestStep : SceneControl.farthest
    guard -limit...limit ~= number else {
      throw ProtocolError(
        .badMessage,
        "\(isStep ? "a step" : "the transposition") must be -\(limit) to \(limit) semitones, but is \(number)",
        field: isStep ? "params.step" : "params.semitones")
    }
    return Transpose.Response(
      transposition: requests.scenes.transpose(isStep ? .by(number) : .to(number)))
  }

  private func saveScene(_ request: SaveScene) throws(ProtocolError) -> SaveScene.Response {
    try withScenes { scenes throws(Failure) in
      SaveScene.Response(file: try scenes.save(as: request.name, replaces: request.replaces))
    }
  }

  private func zones(_ request: GetZones) throws(ProtocolError) -> GetZones.Response {
    try withScenes { scenes throws(Failure) in
      GetZones.Response(zones: try scenes.zones(of: request.component))
    }
  }

  private func setZones(_ request: SetZones) throws(ProtocolError) -> Done {
    try withScenes { scenes throws(Failure) in
      try scenes.setZones(request.zones, of: request.component)
    }
    return Done()
  }

  private func withScenes<Result>(
    _ body: (SceneControl) throws(Failure) -> Result
  ) throws(ProtocolError) -> Result {
    do throws(Failure) {
      return try body(requests.scenes)
    } catch {
      throw ProtocolError(.badSequence, error.message)
    }
  }

  // MARK: Takes

  private func take(_ request: GetTake) throws(ProtocolError) -> GetTake.Response {
    let takes = requests.takes
    return try transfer.part(request) { () throws(ProtocolError) in
      let port = try request.component.map { component throws(ProtocolError) in
        try server.port(component).description.name
      }
      return takes?.take(of: port, seconds: request.seconds, keepsSilence: request.keepsSilence)
    }
  }

  // MARK: The song

  /// Returns as many words as fit into a packet.
  private func songWords(_ request: GetSongWords) -> ItemList<SongWord> {
    let words = requests.song.words
    return ItemList(items: words.packetPart(from: request.offset), total: words.count)
  }

  private func loadSong(_ request: LoadSong) throws(ProtocolError) -> SongStatus {
    var bytes: [UInt8]?
    if request.path == nil {
      bytes = try songParts.add(
        request.data ?? "", at: request.offset ?? 0, of: request.total ?? 0)
      if bytes == nil { return requests.song.status }
    }
    return try withSong { song throws(Failure) in try song.load(request, bytes) }
  }

  private func commandSong(_ request: CommandSong) throws(ProtocolError) -> SongStatus {
    try withSong { song throws(Failure) in try song.execute(SongCommand(request)) }
  }

  private func changeSong(_ request: ChangeSong) throws(ProtocolError) -> SongStatus {
    try withSong { song throws(Failure) in
      try song.change { settings, content throws(Failure) in
        try settings.follow(request, content)
      }
    }
  }

  private func withSong(
    _ body: (ServerSong) throws(Failure) -> Void
  ) throws(ProtocolError) -> SongStatus {
    do throws(Failure) {
      try body(requests.song)
      return requests.song.status
    } catch {
      throw ProtocolError(.badSequence, error.message)
    }
  }

  // MARK: Controls

  private func learn(
    _ learn: LearnControl, _ request: ReceivedRequest
  ) throws(ProtocolError) -> LearnControl.Response {
    if request.hasPort {
      throw ProtocolError(.badSequence, "learn controls on a connection without a port")
    }
    guard learn.seconds > 0, learn.seconds <= LearnControl.longestWait else {
      throw ProtocolError(
        .badMessage,
        "the wait must be above 0 and at most \(Int(LearnControl.longestWait)) s, but is "
          + "\(learn.seconds)", field: "params.seconds")
    }
    return try requests.controls.learn(learn, isOver: request.isOver)
  }

  /// Returns as many controls as fit into a packet.
  private func controls(_ request: GetControls) -> GetControls.Response {
    let all = requests.controls.reports()
    return GetControls.Response(items: all.packetPart(from: request.offset), total: all.count)
  }
}
