import Options

extension Help {
  static let status = HelpText(
    usage: [
      "portative status [--json]"
    ],
    description: """
      Shows the running nodes, the hosts and keyboards that play their ports, and
      statistics. LOAD is the time spent on rendering, relative to the time rendered.
      """,
    options: StatusOptions.table.entries)
}
