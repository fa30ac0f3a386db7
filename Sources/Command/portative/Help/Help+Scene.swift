import Options

extension Help {
  static let scene = HelpText(
    usage: [
      "portative scene [--json] [--node NODE]",
      "portative scene [--node NODE] NAME|next|previous",
      "portative scene [--node NODE] [--replace] save NAME",
    ],
    description: """
      Shows the scenes of the configuration, or changes what keyboards play on the
      ports. Notes that are held keep their sound until their keys and pedals are
      released; the next note has the new sound. The sounds of the scenes around the
      current one are made ahead, so that a change takes no time. Hosts that play a
      port are not affected.

      NAME may be a part of the name that no other scene has. next and previous
      follow the set list of the configuration, otherwise the order of the scenes.

      save adds what keyboards play now to the configuration file as a scene: the
      zones, and what 'portative set' has changed. Comments in the file remain. The
      name has 1 to 64 characters that are shown.
      """,
    options: SceneOptions.table.entries,
    examples: """
      portative scene next
      portative scene Verse
      portative scene save "Second verse"
      """)
}
