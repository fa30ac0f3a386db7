import Glibc
import LocalSystem
import NodeProtocol
import PortativeServer
import ServerTestSupport
import Synchronization
import TestSupport

@testable import WebPanel

/// A panel of a server without devices, whose ports are those of the configuration.
final class TestPanel {
  private let user = TestUser()
  let server: PortativeServer
  let log = PanelTestLog()
  let panel: WebPanel

  static let ports = """
    { ports: [{ name: "Test: Echo", subtype: "echo", unit: "delay", type: "musicEffect" }] }
    """

  init(_ panel: PanelSettings = PanelSettings()) throws {
    try user.system.add("run/folder", "")
    server = try PortativeServer(user.settings, in: user.system.environment, observer: log)
    self.panel = try WebPanel(
      panel, of: server, node: user.settings.node, in: user.system.environment, host: log,
      observer: log)
    try publish(Self.ports)
  }

  /// Publishes the ports of a configuration.
  func publish(_ configuration: String) throws {
    try system.add("config/portative/config.json", configuration)
    try server.publish(ServerPlan(user.settings, in: system.environment, observer: log))
  }

  deinit {
    panel.stop()
    server.stop()
  }

  var system: TemporarySystem { user.system }
  var port: Int { panel.web.port }

  /// The secret of the link.
  var secret: String { String(panel.link.split(separator: "#")[1]) }

  /// A panel of the same user after this one has stopped.
  func another(_ settings: PanelSettings = PanelSettings()) throws -> WebPanel {
    try WebPanel(
      settings, of: server, node: "portative", in: system.environment, host: log, observer: log)
  }

  /// Opens a page that has been admitted.
  func page() throws -> TestSocket {
    let page = try TestSocket(port)
    try page.open(secret)
    return page
  }
}

/// The log of a panel, and what the program would show in it.
final class PanelTestLog: ServerObserver, PanelHost {
  private let lines = Mutex<[String]>([])
  let wired = Mutex<[String]>([])

  var messages: [String] { lines.withLock { $0 } }

  func log(_ message: String) { lines.withLock { $0.append(message) } }
  func log(warning: String) { log("warning: \(warning)") }
  func log(error: String) { log("error: \(error)") }

  func logLines(from number: Int) -> (lines: [String], next: Int) {
    lines.withLock { (Array($0.dropFirst(number)), $0.count) }
  }

  /// The number of times that the machine was checked. Waits while the test holds it.
  let checks = Mutex(0)

  func findings() -> [PanelFinding] {
    checks.withLock { $0 += 1 }
    return [PanelFinding(verdict: "bad", subject: "test", message: "it fails", remedy: "repair it")]
  }

  func wiring() -> PanelWiring? {
    PanelWiring(keyboards: [.init(name: "Keys", address: "20:0", plays: ["Test: Echo"])])
  }

  func connect(_ isConnected: Bool, _ keyboard: String, to port: String) throws {
    if keyboard != "20:0" { throw ProtocolError(.commandFailed, "no keyboard is named that") }
    wired.withLock { $0.append("\(isConnected) \(keyboard) \(port)") }
  }

  /// Waits while the test holds this.
  let rendering = Mutex(())

  /// What was rendered: the port, the part and the path.
  let takes = Mutex<[String]>([])

  func saveTake(
    of component: ComponentDescription, from: Double, to: Double?, in path: String
  ) throws {
    if from < 0 { throw ProtocolError(.commandFailed, "nothing was played then") }
    rendering.withLock { _ in }
    takes.withLock { $0.append("\(component.subtype) \(from) \(to ?? -1) \(path)") }
  }
}
