import Configuration
import Dispatch
import Glibc
package import LocalSystem
import NodeProtocol
package import PortativeServer
import Synchronization

/// The panel of a server as a web page, whose requests are those of the control socket.
///
/// Realtime: no. Threads: any. The caller must call ``stop()`` before that of the server.
///
/// `@unchecked Sendable`: `web` is set before pages are accepted.
package final class WebPanel: @unchecked Sendable {
  let server: PortativeServer
  let host: any PanelHost
  let node: String
  let access: PanelAccess
  /// The secret of the link, another one each time the server is started.
  let secret: String
  let socketPath: String
  let sources = PanelSources()
  /// Changes the wiring.
  let background = DispatchQueue(label: "portative-web-panel")
  private let recordings: RecordingRequests
  let sounds: SoundRequests
  let library: RecordingLibrary
  /// Of the web server.
  let links: FileLinks
  let checks: SharedWork<CheckMachine.Response>
  let wirings: SharedWork<GetWiring.Response>
  /// Renders takes, for minutes if they are long.
  let rendering = DispatchQueue(label: "portative-web-panel-takes", qos: .utility)
  private let isRendering = Mutex(false)
  private(set) var web: WebServer!
  /// The link for this machine, with the secret.
  package let link: String
  /// The address for other machines; `nil` without one.
  package let publicLink: String?
  private let directories: NodeDirectories
  private let observer: any ServerObserver

  /// Offers the panel.
  ///
  /// - Throws: ``WebServerError``, or ``NodeError`` if the name of the node is unusable.
  package init(
    _ settings: PanelSettings, of server: PortativeServer, node: String,
    in environment: ProcessEnvironment = .current, host: any PanelHost,
    observer: any ServerObserver
  ) throws {
    (self.server, self.host, self.node, self.observer) = (server, host, node, observer)
    directories = NodeDirectories(environment)
    library = RecordingLibrary(environment)
    links = FileLinks()
    recordings = RecordingRequests(library: library, links: links, server: server)
    sounds = SoundRequests(
      fonts: SoundFontSearch(environment), links: links, server: server,
      temporaryFolder: directories.runtime)
    socketPath = try directories.socketPath(of: node)
    let file = StoredPanels.file(environment)
    let stored = Self.read(file, observer).panels[node]
    let masterKey = stored?.masterKey ?? makeSecret()
    secret = makeSecret()
    access = PanelAccess(
      secret: secret, masterKey: masterKey, password: settings.password, log: { observer.log($0) })
    let starting = Starting()
    let web = WebServer(PanelPage.resources, links: links) { client in
      starting.panel.withLock { $0.panel }.map { PanelSession($0, client) }
    }
    checks = SharedWork(named: "portative-web-panel-checks", on: web) {
      CheckMachine.Response(findings: host.findings())
    }
    wirings = SharedWork(named: "portative-web-panel-wiring", on: web) {
      GetWiring.Response(wiring: host.wiring())
    }
    try Self.start(web, settings.addresses, settings.port, stored?.port)
    link = "http://\(PanelSettings.loopback):\(web.port)/#\(secret)"
    publicLink = settings.publicName(machine: WebServer.machine).map { "http://\($0):\(web.port)/" }
    self.web = web
    starting.panel.withLock { $0.panel = self }
    let panel = StoredPanels.Panel(port: web.port, masterKey: masterKey)
    do throws(StoredFileError) {
      try file?.update { content in
        defer { content.panels[node] = panel }
        return content.panels[node] != panel
      }
    } catch {
      observer.log(warning: error.message(about: "links of panels"))
    }
    do throws(WholeFile.Failure) {
      try PanelLink(processID: getpid(), link: link).write(of: node, directories)
    } catch {
      observer.log(
        warning:
          "portative serve --panel-link cannot find the link: \(errnoDescription(error.code))")
    }
  }

  /// Gives the panel to the thread of the web server, which may have accepted a page already.
  private final class Starting: Sendable {
    let panel = Mutex(Reference())

    struct Reference {
      weak var panel: WebPanel?
    }
  }

  private static func read(
    _ file: StoredFile<StoredPanels>?, _ observer: any ServerObserver
  ) -> StoredPanels {
    do throws(StoredFileError) {
      return try file?.read() ?? StoredPanels()
    } catch {
      observer.log(warning: error.message(about: "links of panels"))
      return StoredPanels()
    }
  }

  /// Starts at the wanted port, or at that of the last time if it is free, or at any.
  private static func start(
    _ web: WebServer, _ addresses: [String], _ wanted: Int?, _ last: Int?
  ) throws(WebServerError) {
    if wanted == nil, let last {
      do throws(WebServerError) {
        return try web.start(addresses: addresses, port: last)
      } catch {
        guard case .cannotListen(_, _, let code) = error, [EADDRINUSE, EACCES].contains(code) else {
          throw error
        }
      }
    }
    try web.start(addresses: addresses, port: wanted ?? 0)
  }

  /// Returns the work that answers a request of a page in the background; `nil` if the method is unknown.
  func work(
    _ method: String, _ message: ReceivedMessage
  ) throws(ProtocolError) -> RecordingRequests.Work? {
    if let work = try recordings.work(method, message) { return work }
    return try sounds.work(method, message)
  }

  /// - Returns: `false` if a take is being rendered for a page.
  func beginRendering() -> Bool {
    isRendering.withLock { isRendering in
      defer { isRendering = true }
      return !isRendering
    }
  }

  func endRendering() { isRendering.withLock { $0 = false } }

  /// Returns the link of a page that is the window of a host.
  package func link(toPort port: String, ofHost host: Int) -> String {
    "\(link)&port=\(PercentEncoding.encode(port))&host=\(host)"
  }

  /// Closes all pages, whose notes end.
  package func stop() {
    web.stop()
    links.removeAll()
    PanelLink.remove(of: node, directories)
  }
}

/// The ports and master keys of panels, so that open pages go on when a server is started again.
struct StoredPanels: StoredContent {
  static let currentVersion = 2
  var version = Self.currentVersion
  /// By the name of the node.
  var panels: [String: Panel] = [:]

  struct Panel: Codable, Equatable, Sendable {
    var port: Int
    /// The key of the keys of pages, see ``PanelAccess``; `nil` in a file of version 1, which had secrets of links.
    var masterKey: String?
  }

  /// Returns the file in the state folder; `nil` if there is none.
  static func file(_ environment: ProcessEnvironment) -> StoredFile<StoredPanels>? {
    environment.folder("XDG_STATE_HOME", inHome: ".local/state").map {
      StoredFile(path: "\($0)/portative/panels.json")
    }
  }
}
