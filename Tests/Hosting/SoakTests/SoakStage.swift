import Glibc
import LiveMIDI
import LocalSystem
import NodeHost
import NodeProtocol
import NodeServer
import PortativeServer
import RenderCore
import ServerTestSupport
import TestSupport
import WebPanel

/// A server with two ports, zones, scenes, a panel and a recording, in which a soak takes place.
///
/// `@unchecked Sendable`: used by one thread at a time.
final class SoakStage: @unchecked Sendable {
  let sound = SoakSound()
  let log = SoakLog()
  /// The number of servers so far.
  private(set) var servers = 0
  private(set) var server: PortativeServer!
  private(set) var panel: WebPanel!
  private(set) var ports: [PublishedPort] = []
  /// For hosts and for the player's requests.
  let host: AudioHost
  /// What the actors have done.
  var counts = SoakCounts()
  let disk: SoakDisk?
  /// The stalls of ``SoakLog`` after which the device was opened again.
  var stalls = 0
  private let user = TestUser()
  /// The keyboards that are connected.
  var plugged: Set<SoakKeyboard> = []

  static let configuration = """
    { ports: [{ name: "Test: Stage", subtype: "stag" }, { name: "Test: Piano", subtype: "pian" }],
      takes: { minutes: 1 },
      scenes: [
        { name: "Organ", ports: { "Test: Stage": { preset: "Church Organ" } } },
        { name: "Split", ports: { "Test: Stage": { zones: [
          { keys: "..B3", preset: "Church Organ", pan: -50 }, { keys: "C4..", preset: { bank: 0, program: 48 }, level: -6 } ] } } },
        { name: "Layer", ports: { "Test: Stage": { zones: [
          { preset: { bank: 0, program: 0 } }, { preset: { bank: 0, program: 48 }, velocities: [64, 127] } ] } } },
      ],
      setList: ["Organ", "Split", "Layer", "Split"] }
    """

  init() throws {
    disk = geteuid() == 0 ? try SoakDisk() : nil
    user.settings.sound = SoundChoice()
    user.settings.recording = disk.map { "\($0.path)/live.wav" }
    host = AudioHost(name: "Soak", environment: user.system.environment)
    try user.system.add("run/folder", "")
    try start()
  }

  deinit { stop() }

  private func start() throws {
    servers += 1
    disk?.clear()
    let environment = user.system.environment
    server = try PortativeServer(
      user.settings, in: environment, opening: sound.opening, observer: log)
    try server.publish(user.plan(Self.configuration))
    panel = try WebPanel(
      PanelSettings(), of: server, node: user.settings.node, in: environment, host: log,
      observer: log)
    ports = server.publishedPorts
    connectKeyboards()
  }

  func stop() {
    panel?.stop()
    server?.stop()
    (panel, server, ports) = (nil, nil, [])
  }

  /// Ends the server, and starts the next.
  func restart() throws {
    stop()
    try start()
  }

  func component(_ port: Int) -> Component {
    Component(
      port: ports[port].description, node: user.settings.node, processID: getpid())
  }
}

/// What the actors of a soak have done since its beginning.
struct SoakCounts {
  var (notes, hosts, pages) = (0, 0, 0)
}
