import Options

extension Help {
  static let get = HelpText(
    usage: [
      "portative get [--json] PORT [SETTING …]"
    ],
    description: """
      Shows the settings of a port as portative set takes them, or the values of some.
      A port that keyboards or a host play is not interrupted. If its node is not
      running, it is started.
      """,
    options: GetOptions.table.entries,
    examples: """
      portative get piano gain
      """)
}
