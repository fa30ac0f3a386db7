import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import PortativeServer
import RenderCore
import Synchronization
import TestSupport
import Testing

/// Sends files of some length, another one for each request.
private final class NumberedTakes: RequestExtension {
  let features = [Feature.take]
  let count = Mutex(0)
  private let length: Int

  init(length: Int) { self.length = length }

  func makeHandler(for server: NodeServer) -> any RequestHandler { Handler(self) }

  func source(ofUnit number: Int, of port: PublishedPort) -> (any RenderUnitSource)? { nil }

  private final class Handler: RequestHandler {
    private let takes: NumberedTakes
    private var transfer = TakeTransfer()

    init(_ takes: NumberedTakes) { self.takes = takes }

    func response(to request: ReceivedRequest) throws(ProtocolError) -> any Encodable & Sendable {
      try request.answer { (take: GetTake) throws(ProtocolError) in
        try transfer.part(take) { takes.length < 0 ? nil : takes.next() }
      }
    }
  }

  private func next() -> RecordedTake {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return RecordedTake(
      file: Self.file(length, number), properties: .empty(limit: Double(number)))
  }

  static func file(_ length: Int, _ number: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: $0 * 31 + number) }
  }
}

@Suite(.timeLimit(.minutes(5))) struct TakeTransferTests {
  /// Calls a function with a node that sends the takes, and what requests one of it.
  private func withNode<Result>(
    _ takes: NumberedTakes, _ body: ((Double?) throws -> NodeTake) throws -> Result
  ) throws -> Result {
    let folder = try TemporaryFolder()
    let path = folder("socket")
    let server = try NodeServer(socketPath: path, peer: Peer(name: "test", processID: 1))
    defer { server.stop() }
    server.requestExtension = takes
    return try body { seconds in
      try AudioHost(name: "Take").take(
        ofNode: "test", component: nil, seconds: seconds, keepsSilence: false, socketPath: path)
    }
  }

  @Test(arguments: [0, 1, 32_767, 32_768, 32_769, 65_536, 1_000_000])
  func `a file of any length arrives whole, and is made once`(length: Int) throws {
    let takes = NumberedTakes(length: length)
    try withNode(takes) { take in
      for number in 1...2 {
        let take = try take(nil)
        #expect(take.file == NumberedTakes.file(length, number))
        #expect(take.properties.limit == Double(number))
      }
    }
    #expect(takes.count.withLock { $0 } == 2)
  }

  @Test func `a server that records nothing has an empty file, and bad seconds are refused`() throws
  {
    try withNode(NumberedTakes(length: -1)) { take throws in
      #expect(try take(nil).file.isEmpty)
      #expect(try take(nil).properties.limit == 0)
      #expect(
        failure { _ = try take(-1) }?.description.contains("seconds must be") == true)
    }
  }

  @Test func `the rest of a file is refused without its beginning`() {
    var transfer = TakeTransfer()
    let error = #expect(throws: ProtocolError.self) {
      _ = try transfer.part(GetTake(offset: 5)) { nil }
    }
    #expect(error?.code == .badSequence)
  }
}
