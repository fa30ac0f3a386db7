import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import Synchronization
import TestSupport
import Testing

/// Makes a file of some length, another one for each request.
private final class NumberedTakes: TakeSource {
  let count = Mutex(0)
  private let length: Int

  init(length: Int) { self.length = length }

  /// Unit 7 has played a sound.
  func sound(ofUnit unit: Int, of port: String) -> TakenSound? {
    unit == 7 ? TakenSound(number: 1, source: SupplySource()) : nil
  }

  func take(of port: String?, seconds: Double?, keepsSilence: Bool) -> RecordedTake {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let properties = TakeProperties(
      sampleRate: 48_000, ports: [.init(name: port ?? "all", notes: number)],
      firstNote: keepsSilence ? 5 : 0, isWhole: true, hasLosses: false, limit: seconds ?? -1)
    return RecordedTake(
      file: (0..<length).map { UInt8(truncatingIfNeeded: $0 * 31 + number) }, properties: properties
    )
  }
}

@Suite(.timeLimit(.minutes(5))) struct TakeRequestTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  private func take(
    _ component: ComponentDescription? = nil, seconds: Double? = nil, keepsSilence: Bool = false
  ) throws -> NodeTake {
    try AudioHost(name: "Take").take(
      ofNode: "test", component: component, seconds: seconds, keepsSilence: keepsSilence,
      socketPath: server.socketPath)
  }

  @Test(arguments: [0, 1, 32_767, 32_768, 32_769, 65_536, 1_000_000])
  func `a file of any length arrives whole, and is made once`(length: Int) throws {
    let takes = NumberedTakes(length: length)
    server.server.takes = takes
    for number in 1...2 {
      let take = try take()
      #expect(take.file == (0..<length).map { UInt8(truncatingIfNeeded: $0 * 31 + number) })
      #expect(take.properties.ports == [.init(name: "all", notes: number)])
    }
    #expect(takes.count.withLock { $0 } == 2)
  }

  @Test func `the request names the port, the time and the beginning`() throws {
    server.server.takes = NumberedTakes(length: 3)
    let take = try take(pulses(), seconds: 12.5, keepsSilence: true)
    #expect(take.properties.ports[0].name == server.port.description.name)
    #expect(take.properties.limit == 12.5 && take.properties.firstNote == 5)
  }

  @Test func `a node that records nothing has an empty file, and bad requests are refused`() throws
  {
    #expect(try take().file.isEmpty)
    #expect(try take().properties.limit == 0)
    #expect(failure { _ = try take(pulses(9)) }?.description.contains("does not publish") == true)
    #expect(failure { _ = try take(seconds: -1) }?.description.contains("seconds must be") == true)
  }

  @Test func `a host gets a unit with the sound of a take as long as the node keeps it`() throws {
    server.server.takes = NumberedTakes(length: 3)
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
