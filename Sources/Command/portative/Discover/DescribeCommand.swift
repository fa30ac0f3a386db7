import Configuration
import LivePlayer
import LocalSystem
import NodeHost
import NodeProtocol

/// The verb `describe`: a port's parameters and presets, for authors of configurations and hosts.
enum DescribeCommand {
  /// - Parameter arguments: The arguments after `describe`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try DescribeOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.describe) }
    let connector = NodeConnector(host: AudioHost(name: "portative describe")) {
      Terminal.note($0.description)
    }
    let details = try connector.details(of: NodeFinder(for: .port).find(options.port))
    let description = UnitDescription(
      port: details.port, latency: details.latency, parameters: details.parameters,
      values: details.values, presets: details.presets)
    return try Command.write(options.isJSON ? description.json : description.text)
  }
}

/// The options of `portative describe`.
struct DescribeOptions {
  /// The port's name, or part of it.
  var port = ""
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `describe`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    guard operands.count == 1 else {
      throw .usage(
        "describe takes one port, but got \(operands.count): portative describe delay")
    }
    port = operands[0]
  }

  static let table = OptionTable<DescribeOptions>(rows: [
    .flag("--json", help: "write one line of JSON, with the presets", \.isJSON), .help(\.wantsHelp),
  ])
}

extension Help {
  static let describe = HelpText(
    usage: [
      "portative describe [--json] PORT"
    ],
    description: """
      Shows a port's presets and its parameters with their current values. A port that
      a host plays is not interrupted. If its node is not running, it is started.
      """,
    options: DescribeOptions.table.entries,
    examples: """
      portative describe delay
      """)
}
