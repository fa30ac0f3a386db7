import Configuration
import Dispatch
import Glibc
import JACKAudio
import LocalSystem
import NodeProtocol
import NodeServer
import PortativeServer
import Synchronization
import WebPanel

/// The verb `serve`: publishes instruments and effects until a signal ends it.
enum ServeCommand {
  /// - Parameter arguments: The arguments after `serve`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try ServeOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.serve) }
    if options.printsLink {
      return try PrintedLink.write(of: options.givenNode, opens: options.opensBrowser)
    }
    let log = ServerLog(isQuiet: options.isQuiet && !options.checks)
    let plan = try ServerPlan(
      options.settings, skipsBrokenPorts: !options.checks && !options.installs, observer: log)
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
    if options.isJSON { return try Command.write(JSONOutput.serve.line(Entry(plan))) }
    return options.isQuiet ? .done : try Command.write(text(plan))
  }

  private struct Entry: Encodable {
    let files: [String]
    let soundFont: String?
    let ports: [Port]

    struct Port: Encodable {
      let port: PortDescription
      let unit: String
    }

    init(_ plan: ServerPlan) {
      files = plan.files
      soundFont = plan.soundFont?.path
      ports = plan.ports.map { Port(port: $0.description, unit: $0.unit.rawValue) }
    }
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
    return "\(files)\n\(soundFont)\(Columns.table(["PORT", "COMPONENT", "UNIT"], rows))"
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
    // Precedes the claim of the name, which may end a node that a host has started.
    try plan.checkManifest()
    FileDescriptorLimit.raise()
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
      // Returns the panel, which is made with the first call.
      let openPanel = { @Sendable () throws -> WebPanel in
        try webPanel.withLock { panel in
          if let panel { return panel }
          let made = try options.makePanel(of: server, log)
          panel = made
          return made
        }
      }
      if options.offersPanel { _ = try openPanel() }
      server.onShow { port, host in
        // The host's thread does not wait for the browser.
        DispatchQueue.global().async {
          let name = port.description.name
          do {
            let link = try openPanel().link(toPort: name, ofHost: host)
            do throws(Browser.Problem) {
              try Browser.open(link)
            } catch {
              log.log("\(name): its host is asked to open its page, because here \(error)")
              port.show(page: link, toHost: host)
            }
          } catch {
            log.log(error: "the window of '\(name)' cannot be shown: \(Failure(error).message)")
          }
        }
      }
      if let limit = options.settings.unusedLimit { try UnusedWatch(limit).start(server, log) }
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
        try server.publish(ServerPlan(settings, skipsBrokenPorts: true, observer: log))
        log.log("reloaded")
      } catch {
        log.log(error: "\(Failure(error).message); the previous configuration stays in use")
      }
      ServiceManager.notifyReady()
      signals.waitIfTerminating()
    }
  }
}

extension Help {
  static let serve = HelpText(
    usage: [
      "portative serve [OPTIONS]"
    ],
    description: """
      Plays instruments from keyboards, and publishes instruments and effects for
      other programs, until SIGTERM or Ctrl-C. On SIGHUP, it reads the configuration
      again: unchanged ports continue to play, and an unusable configuration has no
      effect. A port that cannot be played is reported, and does not stop the others;
      --check and --install report it as an error. On a terminal, a panel shows the
      ports with their levels and the log; press ? for its keys. --panel offers
      another panel, as a web page.
      """,
    options: ServeOptions.table.entries,
    remarks: """
      Without a configuration, there is one port for each unit: synth, multi-synth,
      layer, resonator, delay and metronome. To publish other ports, list them in
      ~/.config/portative/config.json or /etc/xdg/portative/config.json:

        {
          soundfont: "~/Grand.sf2",
          ports: [
            { name: "Portative: General MIDI", subtype: "gmsy" },
            { name: "Portative: Piano", subtype: "pian", gain: -3,
              preset: { bank: 0, program: 0 } },
            { name: "Portative: Echo", subtype: "echo", unit: "delay",
              parameters: { feedback: 60 } },
            { name: "Portative: Far Piano", subtype: "farp", unit: "chain",
              type: "instrument", nodes: ["Piano", "Echo"] },
          ],
        }

      Other fields of a port are manufacturer, tags and icon. A synth, multi-synth or
      layer can have soundfont, timing, reverb, reverbEngine, chorus, bankStyle,
      polyphony, threads (that render its notes in exact timing, 1 to 64; the default
      is 1), and keyboards: the names of those that play it, such as ["Nord*"]. Other
      keyboards play the first port that accepts MIDI; see portative connect. A
      multi-synth has 34 outputs; keyboards play it in stereo. A delay is an
      effect or, to be played by controllers, a musicEffect. portative info PORT lists
      its parameters. Unknown fields cause a warning. A server has at most
      128 ports, a chain at most 16 nodes.
      """,
    exitCodes: [
      ExitStatus(0, "ended by SIGTERM or Ctrl-C, or --check found no error"),
      ExitStatus(1, "failure, such as a node of this name that is already running"),
      ExitStatus(2, "wrong usage"), ExitStatus(3, "configuration unusable"),
      ExitStatus(4, "--install could not write"), ExitStatus(5, "SoundFont missing or unusable"),
    ],
    examples: """
      portative serve
      portative serve --check --config Organ.json
      portative serve --config Organ.json --name organ
      portative serve --audio hw:1 --period 64
      portative serve --panel --open
      portative serve --install            # once; afterwards, hosts start it
      """)
}

/// Handles a server's signals: SIGTERM and SIGINT end it, and SIGHUP reloads its configuration.
///
/// A thread of its own waits for them, so that the server can be ended at any time, even while it loads a SoundFont for
/// minutes.
final class ServerSignals: Sendable {
  private let signals: Mutex<sigset_t>
  private let reload = DispatchSemaphore(value: 0)
  private let isTerminating = Atomic<Bool>(false)
  private let terminal = (STDIN_FILENO...STDERR_FILENO).first { isatty($0) == 1 }

  /// Blocks the signals in the calling thread and in all threads that it starts from now on.
  init() {
    var set = sigset_t()
    sigemptyset(&set)
    // Shell scripts start background jobs with SIGINT ignored, because it is not meant for them.
    for signal in [SIGTERM, SIGINT, SIGHUP] where signal != SIGINT || !Self.isIgnored(signal) {
      sigaddset(&set, signal)
    }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signals = Mutex(set)
  }

  private static func isIgnored(_ signal: CInt) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Starts handling signals.
  ///
  /// - Parameter terminate: Ends the process.
  func start(_ terminate: @escaping @Sendable () -> Never) throws(SystemError) {
    try SystemThread(name: "portative-sigs") {
      while self.next() == SIGHUP, !self.isTerminalClosed { self.reload.signal() }
      self.isTerminating.store(true, ordering: .releasing)
      terminate()
    }.detach()
  }

  private func next() -> CInt {
    var set = signals.withLock { $0 }
    var signal: CInt = 0
    while sigwait(&set, &signal) != 0 {}
    return signal
  }

  /// Whether the terminal was closed, so that SIGHUP does not request a reload.
  private var isTerminalClosed: Bool { terminal.map { isatty($0) == 0 } ?? false }

  /// Waits for a request to reload the configuration.
  fileprivate func waitForReload() { reload.wait() }

  /// Blocks forever if the process is terminating, so that errors caused by this are not reported.
  fileprivate func waitIfTerminating() {
    while isTerminating.load(ordering: .acquiring) { pause() }
  }
}

/// Ends a server that hosts have started, when no host and no keyboard has used a port for some time.
struct UnusedWatch: Sendable {
  private let limit: Double

  /// - Parameter limit: The time in seconds, also from the start of the server until the first use.
  init(_ limit: Double) { self.limit = limit }

  /// Checks once per second, on a thread of its own. SIGTERM then ends the server as its user would.
  func start(_ server: PortativeServer, _ log: ServerLog) throws(SystemError) {
    try SystemThread(name: "portative-watch") {
      var lastUse = ContinuousClock.now
      while ContinuousClock.now - lastUse < .seconds(limit) {
        sleep(1)
        if server.isInUse { lastUse = .now }
      }
      log.log("no host and no keyboard has used a port for \(Int(limit)) s")
      kill(getpid(), SIGTERM)
    }.detach()
  }
}
