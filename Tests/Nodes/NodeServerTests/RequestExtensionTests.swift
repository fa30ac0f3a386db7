import ConnectionTestSupport
import LocalSystem
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Answers requests for scenes with the number of requests that the connection has sent, and has a unit of the number 7.
private struct CountingRequests: RequestExtension {
  let features = [Feature.scenes]

  func makeHandler(for server: NodeServer) -> any RequestHandler { CountingHandler(server) }

  func source(ofUnit number: Int, of port: PublishedPort) -> (any RenderUnitSource)? {
    number == 7 ? SupplySource() : nil
  }
}

private final class CountingHandler: RequestHandler {
  private let server: NodeServer
  private var count = 0

  init(_ server: NodeServer) { self.server = server }

  func response(to request: ReceivedRequest) throws(ProtocolError) -> any Encodable & Sendable {
    guard request.method == GetScenes.method else { throw .unknownMethod(request.method) }
    count += 1
    let port = server.ports[0].description.name
    return try request.answer { (scenes: GetScenes) in
      GetScenes.Response(
        items: ["\(port) \(count) \(request.hasPort) \(request.isOver())"],
        total: scenes.offset + 1, setListCount: 0, current: nil)
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct RequestExtensionTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  /// A host that writes and reads messages itself.
  private func socket() throws -> PacketSocket {
    let socket = try PacketSocket(connectingTo: server.socketPath)
    let hello = try exchange(Hello(peer: Peer(name: "x", processID: 1)), on: socket)
    let features = try hello.result(Hello.Response.self).features
    #expect(
      features == Feature.ofPorts + (server.server.requestExtension == nil ? [] : [Feature.scenes]))
    return socket
  }

  private func exchange(
    _ request: some NodeProtocol.Request, on socket: PacketSocket
  ) throws -> ReceivedMessage {
    try socket.send(MessageEncoder.request(request, id: 1))
    let packet = try #require(try socket.receive())
    return try ReceivedMessage(packet.bytes)
  }

  @Test func `each connection has a handler of its own, which knows its state`() throws {
    server.server.requestExtension = CountingRequests()
    let name = server.port.description.name
    for _ in 1...2 {
      let socket = try socket()
      for (number, hasPort) in [(1, false), (2, false), (3, true)] {
        if hasPort { _ = try exchange(OpenPort(component: pulses()), on: socket) }
        let answer = try exchange(GetScenes(offset: 0), on: socket)
          .result(GetScenes.Response.self)
        #expect(answer.items == ["\(name) \(number) \(hasPort) false"])
      }
      socket.shutDown()
      #expect(eventually { server.port.hosts.isEmpty })
    }
  }

  @Test(arguments: [false, true])
  func `a request that nobody answers is refused, and the connection goes on`(
    hasExtension: Bool
  ) throws {
    if hasExtension { server.server.requestExtension = CountingRequests() }
    let socket = try socket()
    guard case .error(_, let error) = try exchange(GetTake(), on: socket).kind else {
      Issue.record("not refused")
      return
    }
    #expect(error.code == .unknownMethod)
    let report = try exchange(GetReport(offset: 0), on: socket).result(GetReport.Response.self)
    #expect(report.items.count == 1)
  }

  @Test func `a host gets a unit by its number as long as there is one`() throws {
    server.server.requestExtension = CountingRequests()
    let connection = try server.connect()
    connection.takeUnit = 7
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    #expect(server.source.units.isEmpty)
    connection.uninitialize()
    connection.takeUnit = 8
    let error = failure { try connection.initialize(Format(maximumFrames: 64), mode: .offline) }
    #expect(error?.description.contains("has no unit 8 of a take any more") == true)
    connection.takeUnit = nil
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    #expect(server.source.units.count == 1)
  }
}
