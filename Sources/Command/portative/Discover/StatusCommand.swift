import Configuration
import LocalSystem
import NodeHost
import NodeProtocol

/// The verb `status`: the running nodes, who plays their ports, and their load.
enum StatusCommand {
  /// - Parameter arguments: The arguments after `status`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try StatusOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.status) }
    let host = AudioHost(name: "portative status")
    var code = ExitCode.done
    var reports: [NodeReport] = []
    for node in RunningNode.all(in: NodeDirectories()) {
      do {
        reports.append(try host.report(of: node))
      } catch {
        code = Command.end(error, json: nil)
      }
    }
    if reports.isEmpty, code != .done { return code }
    try Command.write(
      options.isJSON
        ? reports.map { JSONOutput.status.line($0) }.joined() : StatusTable.text(reports))
    return code
  }
}

/// The options of `portative status`.
struct StatusOptions {
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `status`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage("status takes options only, but got '\(operand)'; see portative status --help")
    }
  }

  static let table = OptionTable<StatusOptions>(rows: [
    .flag("--json", help: "write a line of JSON for each node", \.isJSON), .help(\.wantsHelp),
  ])
}

extension Help {
  static let status = HelpText(
    usage: [
      "portative status [--json]"
    ],
    description: """
      Shows the running nodes, the hosts and keyboards that play their ports, and
      statistics. LOAD is the time spent on rendering, relative to the time rendered.
      The round trip is the time from a host's request of a cycle until it has the
      audio: the median and the longest of the last 5 s, as the host states them.
      """,
    options: StatusOptions.table.entries)
}
