import ConnectionTestSupport
import Foundation
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import Synchronization

/// A server in this process, with a socket in a temporary folder and a port whose unit is a ``PulseUnit``.
final class TestServer: Sendable {
  let server: NodeServer
  let source: PulseSource
  let port: PublishedPort
  let log = Log()
  /// The server's clock, which stands still unless a test advances it. So no host is parked because a machine is busy.
  let clock = TestClock()
  private let folder: Folder
  var socketPath: String { folder("test.socket") }

  init(_ source: PulseSource = PulseSource(), maximumHosts: Int = 1) throws {
    folder = try Folder()
    self.source = source
    server = try NodeServer(
      socketPath: folder("test.socket"), peer: Peer(name: "test node", processID: getpid()),
      now: { [clock] in clock.now }, onEvent: { [log] in log.add($0.description) })
    port = try server.publish(pulsePort(), source, maximumHosts: maximumHosts)
  }

  deinit { server.stop() }

  func connect(
    _ component: ComponentDescription = pulses(), from host: AudioHost = AudioHost(name: "Tester")
  ) throws -> Connection {
    try host.connect(to: component, ofNode: "test", socketPath: socketPath)
  }

  func control(_ component: ComponentDescription) throws -> PortControl {
    try AudioHost(name: "Tester").control(of: component, ofNode: "test", socketPath: socketPath)
  }

  /// Returns an initialized connection.
  func running(
    _ format: Format = Format(maximumFrames: 256), _ mode: RenderMode = .offline
  ) throws -> Connection {
    let connection = try connect()
    try connection.initialize(format, mode: mode)
    return connection
  }

  /// The last created unit.
  var unit: PulseUnit { source.units.last! }
}

/// A clock that a test advances.
final class TestClock: Sendable {
  private let time = Atomic<Int64>(0)
  var now: Int64 { time.load(ordering: .acquiring) }
  func advance(seconds: Double) { time.add(Int64(seconds * 1e9), ordering: .releasing) }
}

/// A temporary folder, deleted on deinitialization.
final class Folder: Sendable {
  let path = FileManager.default.temporaryDirectory
    .appending(path: "portative-test-\(UInt64.random(in: 0 ... .max))").path()

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Collects lines from other threads.
final class Log: Sendable {
  private let list = Mutex<[String]>([])
  func add(_ line: String) { list.withLock { $0.append(line) } }
  var lines: [String] { list.withLock { $0 } }
  func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
}

func note(_ key: UInt8) -> ChannelMessage { ChannelMessage(.noteOn, channel: 0, key, 100) }

/// Returns the frames that have a pulse, with its amplitude.
func pulsePositions(_ samples: [Float]) -> [Int: Float] {
  Dictionary(uniqueKeysWithValues: samples.enumerated().filter { $0.1 != 0 }.map { ($0, $1) })
}
