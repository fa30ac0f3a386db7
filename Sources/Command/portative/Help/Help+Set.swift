import Options

extension Help {
  static let set = HelpText(
    usage: [
      "portative set PORT SETTING=VALUE …"
    ],
    description: """
      Changes the sound of a running port from the next cycle on, whether keyboards or
      a host play it. A host is told. The settings are those that portative get and
      portative describe show, and

        preset=NAME     by name, by words of the name, or as BANK:PROGRAM; for the
                        first MIDI channel
        soundfont=FILE  what sounds fades; programs and parameters remain

      What keyboards play keeps the settings until the server ends. To keep them
      longer, write them into the configuration.
      """,
    options: SetOptions.table.entries,
    examples: """
      portative set piano gain=-3 reverb.room=0.4
      portative set piano preset="Church Organ" chorus.on=off
      portative set piano soundfont=~/Grand.sf2
      """)
}
