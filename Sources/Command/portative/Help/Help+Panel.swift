import Options

extension Help {
  static let panel = HelpText(
    usage: [
      "portative panel [--open] [NODE]"
    ],
    description: """
      Prints the link of the web panel of a server that runs with --panel. Who has the
      link can play and change everything that the panel shows: do not share it.
      """,
    options: PanelOptions.table.entries,
    examples: """
      portative serve --panel
      portative panel --open
      """)
}
