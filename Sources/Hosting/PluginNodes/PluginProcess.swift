// `stdout` is a variable of C.
@preconcurrency import Glibc
import LV2Host
package import LocalSystem
package import NodeHost
import NodeProtocol
import NodeServer
package import RenderCore

/// Starts a process for a plugin, so that a crash of the plugin ends nothing else.
///
/// The process is a node that only this process reaches, over a socket that it inherits. It ends when the connection does.
package enum PluginProcess {
  /// The verb of this program that runs such a node, and its option for the plugin.
  package static let verb = "node"
  package static let option = "--lv2"
  /// Its option for a process in which the plugin is watched.
  package static let probeOption = "--probe"

  /// Starts a process and acquires its port.
  ///
  /// - Parameters:
  ///   - isProbed: Whether the figures of the unit are those of ``ProbeFigures``, and denormal numbers are not flushed to zero.
  ///   - showsLog: Whether what the plugin writes appears on standard error, as ``PluginLog`` says.
  /// - Throws: ``ConnectionError``, also if the plugin ends the process.
  package static func connect(
    _ selection: PluginSelection, from host: AudioHost, isProbed: Bool = false,
    showsLog: Bool = true, in environment: ProcessEnvironment = .current
  ) throws(ConnectionError) -> Connection {
    guard let executable = environment.executable else {
      throw .system("cannot find the path of this program: mount /proc")
    }
    let name = selection.plugin.name
    let library = selection.plugin.binary
    if access(library, R_OK) != 0 {
      throw .system(
        "the LV2 plugin '\(name)' cannot be played: its library '\(library)' is missing or cannot be read: install the "
          + "plugin again")
    }
    let socket: PacketSocket
    let program: DetachedProgram
    let output: PluginOutput
    do throws(SystemError) {
      output = try PluginOutput(to: showsLog ? .of(name) : nil)
      // The process has the only other copy.
      defer { output.closeFarEnd() }
      let (child, own) = try PacketSocket.pairWithChild()
      program = try withExtendedLifetime(child) { () throws(SystemError) in
        try DetachedProgram(
          executable,
          arguments: ["portative", verb, option, selection.text] + (isProbed ? [probeOption] : []),
          variables: variables(of: environment), log: output.farEnd, input: child.number)
      }
      socket = own
    } catch {
      throw .system("cannot start a process for '\(name)': \(error)")
    }
    let component: ComponentDescription
    do {
      component = try selection.plugin.description().component
    } catch {
      throw .system("cannot describe '\(name)': \(error)")
    }
    do throws(ConnectionError) {
      let connection = try host.connect(
        to: component, ofNode: name, over: socket, program: program)
      connection.programOutput = output
      return connection
    } catch {
      throw explained(error, name, program)
    }
  }
}

extension PluginProcess {
  /// Returns the variables of a process: without a display, plugins that are made with Qt end their process, and Swift's runtime need
  /// not report crashes of plugins.
  private static func variables(of environment: ProcessEnvironment) -> [String: String] {
    ["QT_QPA_PLATFORM": "offscreen", "SWIFT_BACKTRACE": "enable=no"].merging(environment.variables)
    {
      $1
    }
  }

  /// Prepares a connection for rendering.
  ///
  /// - Throws: ``ConnectionError``, which says so if the plugin has ended its process.
  package static func initialize(
    _ connection: Connection, _ format: Format, mode: RenderMode, priority: Int?
  ) throws(ConnectionError) {
    do throws(ConnectionError) {
      try connection.initialize(format, mode: mode, priority: priority)
    } catch {
      throw explained(error, connection)
    }
  }

  /// Returns the error of a connection, or how the plugin has ended its process.
  static func explained(_ error: ConnectionError, _ connection: Connection) -> ConnectionError {
    guard let program = connection.program else { return error }
    return explained(error, connection.node.name, program)
  }

  private static func explained(
    _ error: ConnectionError, _ name: String, _ program: DetachedProgram
  ) -> ConnectionError {
    guard case .connectionLost(let reason) = error else { return error }
    let problem: String
    if reason == .noAnswer {
      problem = "it has not started within a minute"
    } else if let ending = program.waitForEnd(atMost: .seconds(1)) {
      problem = "its process \(ending)"
    } else {
      return error
    }
    return .system(
      "the LV2 plugin '\(name)' cannot be played: \(problem): update it, or use another plugin")
  }

  /// Returns why a connection that has been used plays no more.
  static func loss(of connection: Connection) -> String {
    let process = "the process \(connection.node.processID) of the plugin"
    let problem: String
    if case .parked(.late) = connection.status {
      problem = "\(process) hangs"
    } else {
      let ending = connection.program?.waitForEnd(atMost: .seconds(1))
      problem = "\(process) \(ending?.description ?? "has disconnected")"
    }
    return "\(problem); it is started again"
  }
}

/// The node in such a process.
package enum PluginNode {
  /// Publishes a plugin for the process that has started this one, and returns when that has disconnected.
  ///
  /// - Parameters:
  ///   - isProbed: Whether the plugin is watched.
  ///   - socket: The inherited descriptor.
  package static func run(
    _ selection: PluginSelection, isProbed: Bool, socket: CInt
  ) throws {
    MemoryLimit.set()
    PluginLog.forward()
    // The host may close its end before this process has ended, and a line must not wait for others.
    signal(SIGPIPE, SIG_IGN)
    setvbuf(stdout, nil, _IOLBF, 0)
    let socket = PacketSocket(owning: socket)
    let server = try NodeServer(onlyForThisProcessAs: selection.plugin.name)
    try server.publish(
      selection.plugin.description(),
      isProbed ? ProbedSource(selection.source) : selection.source)
    try SystemThread(name: "portative-end") {
      socket.waitForEnd()
      // A plugin that hangs would otherwise keep the process.
      alarm(5)
    }.detach()
    server.serveToEnd(socket)
    server.stop()
  }
}
