import Options

extension Help {
  static let zones = HelpText(
    usage: [
      "portative zones PORT",
      "portative zones PORT LIST|-",
      "portative zones PORT --clear",
    ],
    description: """
      Shows or changes what parts of keyboards play on a port, while it is played.
      Held notes keep their sound. LIST is a list of zones as in the configuration;
      - reads it from standard input. The zones last until a scene is chosen or the
      server ends: 'portative scene save NAME' keeps them.

      A zone can have: keyboards, channel, keys, velocities, transpose, velocity,
      controllers, invertPedal, mode, soundfont, preset, parameters, level, pan.
      """,
    options: ZonesOptions.table.entries,
    exampleTitle: "A bass below C4 and strings above",
    examples: """
      portative zones "Grand Piano" '[{keys: "..B3", preset: "0:32"},
        {keys: "C4..", preset: "0:48", level: -6}]'
      """)
}
