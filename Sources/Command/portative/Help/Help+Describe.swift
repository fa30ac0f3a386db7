import Options

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
