import Options

extension Help {
  static let connect = HelpText(
    usage: [
      "portative connect [--json]",
      "portative connect KEYBOARD PORT",
      "portative connect --remove KEYBOARD [PORT]",
    ],
    description: """
      Shows or changes which keyboard plays which port. The server stores changes, and
      restores the connections of a keyboard that is plugged in again.
      """,
    options: ConnectOptions.table.entries,
    remarks: """
      KEYBOARD and PORT are names, parts of names in upper or lower case, or numbers
      as in the list. To distinguish two keyboards of one kind, use the serial number
      or the socket from the list as KEYBOARD.

      Manual changes take precedence over the lists of keyboards in the configuration
      until these lists change. The server's log reports when they do.
      """,
    examples: """
      portative connect
      portative connect launchkey piano
      portative connect --remove launchkey
      """)
}
