import ConnectionTestSupport
import FoundationEssentials
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import Synchronization
import TestSupport
import Testing

/// Tests of states that no packet can hold.
@Suite(.timeLimit(.minutes(5))) struct StateTransferTests {
  /// Lengths around what a part holds, and of large samplers.
  @Test(arguments: [0, 1, 20_000, 24_576, 32_768, 1_400_000])
  func `a state of any length is saved and restored`(count: Int) throws {
    let (server, source) = try server()
    let connection = try server.running()
    let bytes = random(count)
    source.saved.withLock { $0 = bytes }
    let state = try connection.saveState()
    #expect(Data(base64Encoded: state.data).map { [UInt8]($0) } == bytes)
    source.saved.withLock { $0 = [9] }
    try connection.restoreState(state)
    #expect(source.saved.withLock { $0 } == bytes)
    #expect(try connection.saveState() == state)
  }

  @Test func `states in parts do not mix`() throws {
    let (server, source) = try server()
    let connection = try server.running()
    source.saved.withLock { $0 = random(300_000) }
    let state = try connection.saveState()
    let faults = Mutex(0)
    let threads = (0..<4).map { _ in
      TestThread {
        for _ in 0..<5 {
          guard (try? connection.saveState()) == state,
            (try? connection.restoreState(state)) != nil
          else {
            faults.withLock { $0 += 1 }
            continue
          }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(faults.withLock { $0 } == 0)
  }

  @Test func `a chain has the states of its nodes, however long`() throws {
    let (server, source) = try server()
    source.saved.withLock { $0 = random(100_000) }
    let front = try TestServer()
    let path = server.test.socketPath
    try front.server.publish(
      probePort(8),
      ChainSource { () throws(ConnectionError) in
        [
          try AudioHost(name: "chain").connect(
            to: probePort().component, ofNode: "test", socketPath: path)
        ]
      })
    let connection = try front.connect(probePort(8).component)
    try connection.initialize(Format(inputChannels: 2, maximumFrames: 64), mode: .offline)
    let (state, bytes) = (try connection.saveState(), source.saved.withLock { $0 })
    source.saved.withLock { $0 = [] }
    try connection.restoreState(state)
    #expect(source.saved.withLock { $0 } == bytes)
  }

  @Test func `a wrong part is refused and changes nothing`() throws {
    let (server, source) = try server()
    source.saved.withLock { $0 = [1, 2, 3] }
    let host = try RawHost(server.test.socketPath)
    _ = try host.ask(Hello(peer: Peer(name: "raw", processID: 1)))
    #expect(try host.refusal(of: SaveStatePart(offset: 0))?.code == .badSequence)
    let format = Format(inputChannels: 2, maximumFrames: 64)
    _ = try host.ask(OpenPort(component: probePort().component))
    let memory = OwnedDescriptor(try Segment.make(format).descriptor)
    _ = try host.ask(
      InitializePort(format, isOffline: true, priority: 0), attached: memory.number)
    #expect(try host.refusal(of: SaveStatePart(offset: 5))?.code == .badSequence)
    func refusal(_ data: String, at offset: Int, of total: Int) throws -> ProtocolError.Code? {
      try host.refusal(of: LoadStatePart(data: data, offset: offset, total: total))?.code
    }
    #expect(try refusal("AAAA", at: 3, of: 9) == .badSequence)
    #expect(try refusal("AAAA", at: 0, of: UnitState.longest + 1) == .badMessage)
    #expect(try refusal("AAAA", at: 0, of: 0) == .badMessage)
    #expect(try refusal("no base", at: 0, of: 9) == .badMessage)
    #expect(try refusal("AAAA", at: 0, of: 9) == nil)
    #expect(try refusal("AAAA", at: 6, of: 9) == .badSequence)
    #expect(try refusal("AAAA", at: 3, of: 12) == .badSequence)
    #expect(try refusal("AAAA", at: 0, of: 3) == .badState)
    #expect(source.saved.withLock { $0 } == [1, 2, 3])
  }

  private func server() throws -> (server: ProbeServer, source: LongStateSource) {
    let source = LongStateSource()
    return (try ProbeServer(source), source)
  }

  private func random(_ count: Int) -> [UInt8] {
    var random = Seeded(1)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
}

/// Creates units with one state, which the test can set.
private final class LongStateSource: RenderUnitSource {
  let saved = Mutex<[UInt8]>([])

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    LongStateUnit(self, ProbeUnit(format))
  }
}

private final class LongStateUnit: RenderUnit {
  private let source: LongStateSource
  private let probe: ProbeUnit

  init(_ source: LongStateSource, _ probe: ProbeUnit) {
    self.source = source
    self.probe = probe
  }

  var renderer: Renderer { probe.renderer }
  var parameters: ParameterStore? { probe.parameters }
  func save() -> [UInt8] { source.saved.withLock { $0 } }
  func restore(_ data: [UInt8]) { source.saved.withLock { $0 = data } }
}
