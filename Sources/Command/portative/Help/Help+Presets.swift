import Options

extension Help {
  static let presets = HelpText(
    usage: [
      "portative presets [--json] [PORT|SOUNDFONT] [WORD …]"
    ],
    description: """
      Lists the presets of a port or of a SoundFont file, whose names contain all
      words. A word such as 0:40 is a bank and a program. Without a port or file, the
      presets are those of the SoundFont that portative render plays.
      """,
    options: PresetsOptions.table.entries,
    examples: """
      portative presets piano
      portative presets ~/Grand.sf2
      portative presets "General MIDI" string ensemble
      """)
}
