import Glibc
import LocalSystem
import NodeDirectory

/// The verb `list`: the ports that a host can use.
enum ListCommand {
  /// - Parameter arguments: The arguments after `list`.
  static func run(_ arguments: [String]) -> ExitCode {
    do throws(Failure) {
      let options = try ListOptions(arguments: arguments)
      if options.wantsHelp { return Command.say(Help.list) }
      let registry = ComponentRegistry()
      if options.watches { return try watch(registry, options) }
      let list = ComponentList(registry, options)
      for problem in list.problems { Terminal.complain(problem) }
      return Command.say(options.isJSON ? list.jsonLines : list.text)
    } catch {
      Terminal.complain(error.message)
      return error.exitCode
    }
  }

  /// Shows changes until a signal arrives or the reader closes standard output.
  private static func watch(
    _ registry: ComponentRegistry, _ options: ListOptions
  ) throws(Failure) -> ExitCode {
    let changes: ComponentChanges
    do throws(WatchError) {
      changes = try registry.changes()
    } catch {
      throw Failure(.failed, error.description)
    }
    var display: any ListDisplay =
      if options.isJSON {
        JSONListDisplay()
      } else if Terminal.outputIsTerminal {
        TerminalListDisplay()
      } else {
        LineListDisplay()
      }
    var code = Command.say(display.text(for: ComponentList(registry, options)))
    while code == .done, Interruption.signal == nil {
      if changes.wait(atMost: .milliseconds(500)) != nil {
        code = Command.say(display.text(for: ComponentList(registry, options)))
      } else if Terminal.outputIsClosed {
        Interruption.end(by: SIGPIPE)
      }
    }
    if let signal = Interruption.signal { Interruption.end(by: signal) }
    return code
  }
}
