import Glibc
import LocalSystem
import NodeDirectory
import NodeProtocol
import PortativeServer
import SoundDevices
import Synchronization
import TestSupport
import WebServer

@testable import WebPanel

/// A panel of a server without devices, whose ports are those of the configuration.
final class TestPanel {
  let system = TemporarySystem()
  let server: PortativeServer
  let log = PanelTestLog()
  let panel: WebPanel
  private let environment: ProcessEnvironment
  private var settings = ServerSettings()

  static let ports = """
    { ports: [{ name: "Test: Echo", subtype: "echo", unit: "delay", type: "musicEffect" }] }
    """

  init(_ panel: PanelSettings = PanelSettings()) throws {
    system.environment.variables = [
      "HOME": system.root, "PORTATIVE_SOUNDFONT": bundledSoundFont,
      "XDG_CONFIG_HOME": "\(system.root)/config", "XDG_DATA_HOME": "\(system.root)/data",
      "XDG_DATA_DIRS": "\(system.root)/system", "XDG_RUNTIME_DIR": "\(system.root)/run",
      "XDG_STATE_HOME": "\(system.root)/state",
    ]
    environment = system.environment
    try system.add("run/folder", "")
    settings.sound.device = .none
    settings.usesKeyboards = false
    server = try PortativeServer(settings, in: environment, observer: log)
    self.panel = try WebPanel(
      panel, of: server, node: settings.node, in: environment, host: log, observer: log)
    try publish(Self.ports)
  }

  /// Publishes the ports of a configuration.
  func publish(_ configuration: String) throws {
    try system.add("config/portative/config.json", configuration)
    try server.publish(ServerPlan(settings, in: environment, observer: log))
  }

  deinit {
    panel.stop()
    server.stop()
  }

  var port: Int { panel.web.port }

  /// The secret of the link.
  var secret: String { String(panel.link.split(separator: "#")[1]) }

  /// A panel of the same user after this one has stopped.
  func another(_ settings: PanelSettings = PanelSettings()) throws -> WebPanel {
    try WebPanel(
      settings, of: server, node: "portative", in: environment, host: log, observer: log)
  }

  /// Opens a page that has been admitted.
  func page() throws -> TestSocket {
    let page = try TestSocket(port)
    try page.upgrade()
    try page.send(#"{"id":1,"method":"panel.open","params":{"secret":"\#(secret)"}}"#)
    _ = try page.receive()
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

  func findings() -> [PanelFinding] {
    [PanelFinding(verdict: "bad", subject: "test", message: "it fails", remedy: "repair it")]
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

  func saveTake(of component: ComponentDescription, from: Double, to: Double?) throws -> String {
    if from < 0 { throw ProtocolError(.commandFailed, "nothing was played then") }
    return rendering.withLock { _ in "/takes/\(component.subtype) \(from) \(to ?? -1).wav" }
  }
}
