import Options

extension Help {
  static let learn = HelpText(
    usage: [
      "portative learn [OPTIONS] PORT PARAMETER",
      "portative learn [OPTIONS] [PORT] panic",
      "portative learn --list [PORT]",
      "portative learn --clear PORT [PARAMETER]|[PORT] panic|--all",
    ],
    description: """
      Waits until a control of a keyboard that plays PORT is moved: a knob, fader,
      wheel, pedal or button. From then on, the parameter follows it, or panic does.
      The port no longer receives what the control sends. Controllers of 14 bits are
      recognized. Panic also learns keys; without PORT, it ends the sound of all ports
      of a node. The server stores what it has learned.
      """,
    options: LearnOptions.table.entries,
    remarks: """
      VALUE is a number or the name of a value. A parameter has one learned control;
      a control may have several parameters. Controls can also be written into the
      configuration, as "controls"; learned ones take precedence.
      """,
    examples: """
      portative learn piano reverb.room --to 0.8
      portative learn piano panic
      portative learn --clear piano reverb.room
      """)
}
