import Components
import FluidSynthInstrument
import Glibc
import NodeServer

/// The verb `serve`: publishes instruments until it is told to end.
struct ServeCommand {
  private let options: ServeOptions
  private let server: NodeServer
  private var published: [(plan: ServePlan.Port, port: PublishedPort)] = []

  /// - Parameter arguments: Those after `serve`.
  static func run(_ arguments: [String]) -> ExitCode {
    do throws(Failure) {
      let options = try ServeOptions(arguments: arguments)
      if options.wantsHelp { return Command.say(Help.serve) }
      Terminal.silenceGLib()
      // Before any thread is started, so that all have them blocked and this one waits for them.
      let signals = SignalWait([SIGTERM, SIGINT, SIGHUP])
      let plan = try ServePlan(options)
      var command = try ServeCommand(options)
      try command.publish(plan)
      ServiceManager.tellReady()
      command.serve(until: signals)
      return .done
    } catch {
      Terminal.complain(error.message)
      return error.code
    }
  }

  private init(_ options: ServeOptions) throws(Failure) {
    self.options = options
    let isQuiet = options.isQuiet
    do throws(ServerError) {
      server = try NodeServer(name: options.node) { if !isQuiet { Terminal.note($0.description) } }
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  private func serve(until signals: SignalWait) {
    var command = self
    while signals.next() == SIGHUP { command.reload() }
    ServiceManager.tellStopping()
    server.stop()
    say("stopped")
  }

  /// Ports that have not changed are not touched: who plays them notices nothing.
  private mutating func reload() {
    ServiceManager.tellReloading()
    do throws(Failure) {
      try publish(ServePlan(options))
    } catch {
      Terminal.complain("\(error.message); everything stays as it was")
    }
    ServiceManager.tellReady()
  }

  private mutating func publish(_ plan: ServePlan) throws(Failure) {
    let kept = published.filter { old in plan.ports.contains { $0.isSame(as: old.plan) } }
    for old in published where !kept.contains(where: { $0.port === old.port }) {
      server.withdraw(old.port)
      say("\(old.plan.description.name): withdrawn")
    }
    published = kept
    for new in plan.ports where !kept.contains(where: { $0.plan.isSame(as: new) }) {
      do throws(ServerError) {
        published.append((new, try server.publish(new.description, new.source)))
      } catch {
        throw Failure(.failed, error.description)
      }
      say("\(new.description.name): published, with \(new.source.soundFont.path)")
    }
  }

  private func say(_ sentence: String) {
    if !options.isQuiet { Terminal.note(sentence) }
  }
}

/// Signals that are waited for instead of caught.
struct SignalWait {
  private var set = sigset_t()

  /// Blocks them in the calling thread, and in all that it starts from now on.
  init(_ signals: [CInt]) {
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for one of them.
  func next() -> CInt {
    var set = set
    var signal: CInt = 0
    while sigwait(&set, &signal) != 0 {}
    return signal
  }
}
