import Options

extension Help {
  static let remote = HelpText(
    usage: [
      "portative remote [--node NAME] COMMAND"
    ],
    description: """
      Controls the host that plays a port, as a foot switch or a panel beside the node
      would.

        play           play, or stop if it plays
        record         record, or stop recording
        rewind         return to the beginning
        start          play from the beginning, or from where the host starts
        stop           stop
        continue       play from where it stopped
        jump BEAT      go to a beat, in quarter notes from the beginning (0)
        loop on|off    turn the loop on or off
      """,
    options: RemoteOptions.table.entries,
    remarks: """
      Without --node, there must be exactly one host that accepts commands. A command
      that the host does not support is an error.
      """,
    examples: """
      portative remote play
      portative remote jump 16
      portative remote --node Piano loop on
      """)
}
