import Configuration
import Glibc
import LivePlayer
import LocalSystem
import NodeProtocol

/// The verb `list`: the ports that a host can use.
enum ListCommand {
  /// - Parameter arguments: The arguments after `list`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try ListOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.list) }
    if options.wantsStatus { return try NodeStatus.write(isJSON: options.isJSON) }
    if options.wantsPlugins {
      let list = try InstalledPlugins(options.type)
      return try Command.write(options.isJSON ? list.jsonLines : list.text)
    }
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

/// A way to show a list that changes.
protocol ListDisplay {
  /// - Parameter list: The current list.
  /// - Returns: The text to append to the previous output.
  mutating func text(for list: ComponentList) -> OutputText
}

/// Each state of the list as a line of JSON, for programs.
struct JSONListDisplay: ListDisplay {
  func text(for list: ComponentList) -> OutputText { list.jsonLine }
}

/// For a file or a pipe: the list, then a line for each port that is added, changed or removed.
struct LineListDisplay: ListDisplay {
  private var columns = Columns()
  private var rows: [ComponentList.Row] = []
  private var problems: [String] = []
  private var hasHead = false

  mutating func text(for list: ComponentList) -> OutputText {
    let now = list.rows
    let changed = now.filter { !rows.contains($0) }
    let gone = rows.filter { row in !now.contains { $0.isSamePort(as: row) } }.map(\.gone)
    let head = hasHead ? [] : [list.head]
    let newProblems = list.problems.filter { !problems.contains($0) }
    (rows, problems, hasHead) = (now, list.problems, true)
    return (columns.lines(head + (changed + gone).map(\.cells)) + newProblems).map { "\($0)\n" }
      .joined()
  }
}

/// For a terminal: the list, drawn over the previous one.
struct TerminalListDisplay: ListDisplay {
  private let size: () -> (columns: Int, rows: Int)
  private var height = 0

  init(size: @escaping () -> (columns: Int, rows: Int) = { Terminal.outputSize }) {
    self.size = size
  }

  mutating func text(for list: ComponentList) -> OutputText {
    let size = size()
    var columns = Columns()
    var lines =
      list.components.isEmpty
      ? ComponentList.none.split(separator: "\n").map(String.init)
      : columns.lines([list.head] + list.rows.map(\.cells))
    lines += list.problems
    // Lines that have scrolled away could not be overwritten.
    let room = max(1, size.rows - 1)
    if lines.count > room {
      lines = lines.prefix(room - 1) + ["and \(lines.count - room + 1) more"]
    }
    let up: OutputText = height > 0 ? "\u{1B}[\(height)A" : ""
    height = lines.count
    let text: OutputText = lines.map { line in
      "\(TerminalText.fitted(line, columns: size.columns, isUnicode: true))\n"
    }.joined()
    return "\r\(up)\u{1B}[J\(text)"
  }
}

extension Help {
  static let list = HelpText(
    usage: [
      "portative list [OPTIONS]"
    ],
    description: """
      Lists the ports that hosts can use: those of running nodes, and those of nodes
      that start when a host uses them. To name a port, use its name or an unambiguous
      part of it, or its component, such as "instrument gmsy Ptvo" or gmsy. The name
      of its node may precede it: portative/Delay.

      With --status, it lists the hosts and keyboards that play the ports of running
      nodes, and statistics. LOAD is the time spent on rendering, relative to the time
      rendered. The round trip is the time from a host's request of a cycle until it
      has the audio: the median and the longest of the last 5 s, as the host states
      them.

      With --lv2, it lists the LV2 plugins with the names of their files, also those
      that cannot be played, with the reason.
      """,
    options: ListOptions.table.entries,
    examples: """
      portative list
      portative list --status
      portative list --type instrument --json
      portative list --lv2 --type effect
      """)
}
