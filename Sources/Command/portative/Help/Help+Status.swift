import Options

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
