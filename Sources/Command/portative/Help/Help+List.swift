import Options

extension Help {
  static let list = HelpText(
    usage: [
      "portative list [OPTIONS]"
    ],
    description: """
      Lists the ports that hosts can use: those of running nodes, and those of nodes
      that start when a host uses them. To name a port, use its name or an unambiguous
      part of it, or its component, such as "instrument gmsy Ptvo" or gmsy. The name
      of its node may precede it: organ/Flutes.
      """,
    options: ListOptions.table.entries)
}
