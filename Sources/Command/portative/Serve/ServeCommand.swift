import Configuration
import FluidSynthEngine
import Glibc
import LocalSystem
import NodeDirectory
import NodeProtocol
import NodeServer
import Threads

/// The verb `serve`: publishes instruments and effects until a signal ends it.
struct ServeCommand {
  private let options: ServeOptions
  private let log: ServerLog
  private let server: NodeServer
  private let rules = WiringRulesBox()
  private let playing: LivePlaying
  private var published: [Published] = []
  private var soundFont: FoundSoundFont?

  private struct Published {
    let plan: ServePlan.Port
    /// A different object if the file has changed.
    let soundFont: SoundFont?
    let port: PublishedPort
  }

  /// - Parameter arguments: The arguments after `serve`.
  static func run(_ arguments: [String]) -> ExitCode {
    do throws(Failure) {
      let options = try ServeOptions(arguments: arguments)
      if options.wantsHelp { return Command.say(Help.serve) }
      let plan = try plan(options)
      if options.checks { return try ConfigurationCheck(plan, options).run() }
      if options.installs { return try NodeInstallation(options, plan).run() }
      return try serve(plan, options)
    } catch {
      Terminal.complain(error.message)
      return error.exitCode
    }
  }

  /// Reads the configuration, and reports warnings.
  private static func plan(_ options: ServeOptions) throws(Failure) -> ServePlan {
    let log = ServerLog(isQuiet: options.isQuiet && !options.checks)
    return try ServePlan(
      options, warn: { log.say("warning: \($0)") }, complain: { Terminal.complain($0) })
  }

  private static func serve(_ plan: ServePlan, _ options: ServeOptions) throws(Failure) -> ExitCode
  {
    Terminal.silenceGLib()
    let signals = ServerSignals()
    // Precedes loading, because the host that launches a node must soon see that it is starting.
    var command = try ServeCommand(options)
    do throws(Failure) {
      try command.obey(signals)
      try command.publish(plan)
      command.playing.tellSound()
    } catch {
      signals.giveWay()
      command.playing.stop()
      command.server.stop()
      throw error
    }
    ServiceManager.tellReady()
    while true {
      signals.waitForReload()
      command.reload()
      signals.giveWay()
    }
  }

  private init(_ options: ServeOptions) throws(Failure) {
    self.options = options
    let log = ServerLog(isQuiet: options.isQuiet)
    self.log = log
    do throws(ServerError) {
      server = try NodeServer(name: options.node) { log.tell($0) }
    } catch {
      throw Failure(.failed, error.description)
    }
    playing = LivePlaying(options, for: server, rules: rules, log: log)
  }

  private func obey(_ signals: ServerSignals) throws(Failure) {
    let (server, playing, log) = (server, playing, log)
    do throws(SystemError) {
      try signals.obey {
        ServiceManager.tellStopping()
        playing.stop()
        server.stop()
        log.say("stopped")
        // Not exit(), because other threads are still running.
        _exit(ExitCode.done.rawValue)
      }
    } catch {
      throw Failure(.failed, "cannot wait for signals: \(error)")
    }
  }

  private mutating func reload() {
    ServiceManager.tellReloading(at: MonotonicClock.now)
    do throws(Failure) {
      try publish(Self.plan(options))
      log.say("reloaded")
    } catch {
      Terminal.complain("\(error.message); everything stays as it was")
    }
    ServiceManager.tellReady()
  }

  /// Publishes the ports of a plan. Unchanged ports are kept, without any effect on their hosts.
  ///
  /// - Throws: ``Failure``, before anything has changed unless the system fails.
  private mutating func publish(_ plan: ServePlan) throws(Failure) {
    try check(plan)
    if let found = plan.soundFont, found != soundFont { log.tell(found) }
    var units: [LoadedUnit] = []
    for index in plan.ports.indices { units.append(try plan.load(index)) }
    soundFont = plan.soundFont
    rules.current = plan.wiring
    let wanted = zip(plan.ports, units)
    let kept = published.filter { old in
      wanted.contains { old.plan == $0 && old.soundFont === $1.soundFont }
    }
    for old in published where !kept.contains(where: { $0.port === old.port }) {
      playing.remove(old.port)
      server.withdraw(old.port)
      log.say("\(old.plan.description.name): withdrawn")
    }
    published = kept
    for (new, unit) in wanted where !kept.contains(where: { $0.plan == new }) {
      try publish(new, unit)
    }
  }

  private mutating func publish(
    _ plan: ServePlan.Port, _ unit: LoadedUnit
  ) throws(Failure) {
    do throws(ServerError) {
      let port = try server.publish(plan.description, unit.source)
      published.append(Published(plan: plan, soundFont: unit.soundFont, port: port))
      playing.add(port, unit.source)
    } catch {
      throw Failure(.failed, error.description)
    }
    let own = plan.unit.soundFont.flatMap { $0 == soundFont?.path ? nil : ", with \($0)" }
    log.say("\(plan.description.name): published\(own ?? "")")
  }

  /// Checks that the ports agree with the manifest by which hosts know the node.
  private func check(_ plan: ServePlan) throws(Failure) {
    do throws(ServerError) {
      try server.check(plan.ports.map(\.description))
    } catch {
      guard case .publish(let error) = error else { throw Failure(.failed, error.description) }
      throw NodeInstallation.failure(error, options)
    }
  }
}
