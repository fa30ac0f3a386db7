import Options

extension Help {
  static let serve = HelpText(
    usage: [
      "portative serve [OPTIONS]"
    ],
    description: """
      Plays instruments from keyboards, and publishes instruments and effects for
      other programs, until SIGTERM or Ctrl-C. On SIGHUP, it reads the configuration
      again: unchanged ports continue to play, and an unusable configuration has no
      effect. On a terminal, a panel shows the ports with their levels and the log;
      press ? for its keys. --panel offers another panel, as a web page.
      """,
    options: ServeOptions.table.entries,
    remarks: """
      Without a configuration, there is one port for each unit: synth, multi-synth,
      layer, resonator, delay and metronome. To publish other ports, list them in
      ~/.config/portative/config.json or /etc/xdg/portative/config.json:

        {
          soundfont: "~/Grand.sf2",
          ports: [
            { name: "Portative: General MIDI", subtype: "gmsy" },
            { name: "Portative: Piano", subtype: "pian", gain: -3,
              preset: { bank: 0, program: 0 } },
            { name: "Portative: Echo", subtype: "echo", unit: "delay",
              parameters: { feedback: 60 } },
            { name: "Portative: Far Piano", subtype: "farp", unit: "chain",
              type: "instrument", nodes: ["Piano", "Echo"] },
          ],
        }

      Other fields of a port are manufacturer, tags and icon. A synth, multi-synth or
      layer can have soundfont, timing, reverb, reverbEngine, chorus, bankStyle, polyphony,
      threads (that render its notes in exact timing, 1 to 64; the default is 1),
      and keyboards: the names of those that play it, such as ["Nord*"]. Other
      keyboards play the first port that accepts MIDI; see portative connect. A
      multi-synth has 34 outputs; keyboards play it in stereo. A delay is an
      effect or, to be played by controllers, a musicEffect. portative describe lists
      the parameters of a port. Unknown fields cause a warning. A server has at most
      128 ports, a chain at most 16 nodes.
      """,
    exitCodes: [
      ExitStatus(0, "ended by SIGTERM or Ctrl-C, or --check found no error"),
      ExitStatus(1, "failure, such as a node of this name that is already running"),
      ExitStatus(2, "wrong usage"), ExitStatus(3, "configuration unusable"),
      ExitStatus(4, "--install could not write"), ExitStatus(5, "SoundFont missing or unusable"),
    ],
    examples: """
      portative serve
      portative serve --check --config Organ.json
      portative serve --config Organ.json --name organ
      portative serve --audio hw:1 --period 64
      portative serve --panel --open
      portative serve --install            # once; afterwards, hosts start it
      """)
}
