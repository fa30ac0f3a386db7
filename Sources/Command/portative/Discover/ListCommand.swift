import Glibc
import LocalSystem
import NodeDirectory

/// The verb `list`: the ports that a host can use.
enum ListCommand {
  /// - Parameter arguments: The arguments after `list`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try ListOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.list) }
    let registry = ComponentRegistry()
    if options.watches { try watch(registry, options) }
    let list = ComponentList(registry, options)
    for problem in list.problems { Terminal.complain(problem) }
    return try Command.write(
      options.namesOnly ? list.names : options.isJSON ? list.jsonLines : list.text)
  }

  /// Shows changes until a signal arrives or the reader closes standard output.
  private static func watch(_ registry: ComponentRegistry, _ options: ListOptions) throws -> Never {
    let changes = try registry.changes()
    var display: any ListDisplay =
      if options.isJSON {
        JSONListDisplay()
      } else if Terminal.outputIsTerminal {
        TerminalListDisplay()
      } else {
        LineListDisplay()
      }
    try Command.write(display.text(for: ComponentList(registry, options)))
    while true {
      if let signal = Interruption.signal { Interruption.end(by: signal) }
      if changes.wait(atMost: .milliseconds(500)) != nil {
        try Command.write(display.text(for: ComponentList(registry, options)))
      } else if Terminal.outputIsClosed {
        Interruption.end(by: SIGPIPE)
      }
    }
  }
}
