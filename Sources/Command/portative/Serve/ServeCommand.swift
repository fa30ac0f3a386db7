import Configuration
import Glibc
import JACKAudio
import LocalSystem
import NodeDirectory
import PortativeServer
import Synchronization
import Threads
import WebPanel

/// The verb `serve`: publishes instruments and effects until a signal ends it.
enum ServeCommand {
  /// - Parameter arguments: The arguments after `serve`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try ServeOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.serve) }
    let log = ServerLog(isQuiet: options.isQuiet && !options.checks)
    let plan = try ServerPlan(options.settings, observer: log)
    if options.checks { return try check(plan, options, log) }
    if options.installs { return try install(plan, options) }
    PipeWireProperties.allowConcurrentCallbacks()
    try serve(plan, options, log)
  }

  /// Checks whether a server could publish its configuration. Nothing is published.
  private static func check(
    _ plan: ServerPlan, _ options: ServeOptions, _ log: ServerLog
  ) throws -> ExitCode {
    // Presets and parameters can be checked only after a SoundFont has been loaded.
    Terminal.silenceGLib()
    try plan.check(log)
    try plan.checkManifest()
    return options.isQuiet ? .done : try Command.write(text(plan))
  }

  private static func text(_ plan: ServerPlan) -> OutputText {
    let files =
      plan.files.isEmpty
      ? "no configuration file: the built-in ports"
      : "\(plan.files.joined(separator: ", ")): valid"
    let soundFont: OutputText =
      plan.soundFont.map { "SoundFont: \($0.path) (\($0.origin))\n" } ?? ""
    let rows = plan.ports.map { port in
      [port.description.name, port.description.component.description, port.unit.rawValue]
    }
    return "\(files)\n\(soundFont)\(Columns.text([["PORT", "COMPONENT", "UNIT"]] + rows))"
  }

  private static func install(_ plan: ServerPlan, _ options: ServeOptions) throws -> ExitCode {
    let file = try NodeInstallation(options.settings, plan).run()
    if options.isQuiet { return .done }
    return try Command.write(
      """
      Wrote \(file): hosts now start the node '\(options.settings.node)'
      when they need one of its ports. Run this command again after you change the
      ports in the configuration. To undo it, remove the file.

      """)
  }

  private static func serve(
    _ plan: ServerPlan, _ options: ServeOptions, _ log: ServerLog
  ) throws -> Never {
    let settings = options.settings
    Terminal.silenceGLib()
    let signals = ServerSignals()
    // Precedes loading, because the host that launches a node must soon see that it is starting.
    let server = try PortativeServer(settings, observer: log)
    let panel = options.showsPanel ? ServePanel(server, log) : nil
    let webPanel = Mutex<WebPanel?>(nil)
    do {
      try signals.start {
        ServiceManager.notifyStopping()
        webPanel.withLock { $0 }?.stop()
        server.stop()
        panel?.leave()
        log.log("stopped")
        // Not exit(), because other threads are still running.
        _exit(ExitCode.done.rawValue)
      }
      try panel?.start()
      try server.publish(plan)
      server.logSoundDevice()
      if options.offersPanel {
        let web = try options.makePanel(of: server, log)
        webPanel.withLock { $0 = web }
      }
      if let limit = options.unusedLimit { try UnusedWatch(limit).start(server, log) }
    } catch {
      signals.waitIfTerminating()
      webPanel.withLock { $0 }?.stop()
      server.stop()
      panel?.leave()
      throw error
    }
    ServiceManager.notifyReady()
    while true {
      signals.waitForReload()
      ServiceManager.notifyReloading(at: MonotonicClock.now)
      do {
        try server.publish(ServerPlan(settings, observer: log))
        log.log("reloaded")
      } catch {
        log.log(error: "\(Failure(error).message); the previous configuration stays in use")
      }
      ServiceManager.notifyReady()
      signals.waitIfTerminating()
    }
  }
}
