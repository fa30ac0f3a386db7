import Configuration

/// The verbs of the program, in the order of its help.
enum Verbs {
  private static let songs = ["mid", "midi", "smf", "kar", "rmi"]

  /// What users of other programs look for, and the command for it.
  static let others = [
    "convert": "portative render", "export": "portative render", "bounce": "portative render",
    "wav": "portative render", "mp3": "portative render --format mp3",
    "stems": "portative render --stems channel", "loud": "portative render --normalize -16LUFS",
    "louder": "portative render --normalize -16LUFS", "normalize": "portative render --normalize",
    "transpose": "portative render --transpose", "tempo": "portative render --tempo",
    "record": "portative serve --record FILE or portative take",
    "volume": "portative set PORT gain=-3", "gain": "portative set PORT gain=-3",
    "show": "portative info", "file": "portative info", "inspect": "portative info",
    "soundfont": "portative config set soundfont=FILE", "settings": "portative config",
    "devices": "portative doctor", "check": "portative doctor", "test": "portative doctor",
    "ports": "portative list", "instruments": "portative presets", "start": "portative serve",
    "stop": "portative remote stop or portative panic", "connections": "portative connect",
    "server": "portative serve", "daemon": "portative serve", "web": "portative serve --panel",
  ]

  static let all = [
    Verb(
      name: "render", arguments: "[OPTIONS] SONG.mid …",
      summary: "render MIDI files to audio files",
      operands: [.files(songs)],
      seeAlso: ["info", "merge", "play", "presets"],
      help: { Help.render }, errorOutput: .render, run: RenderCommand.run),
    Verb(
      name: "info", arguments: "FILE …", summary: "show what is in songs and SoundFonts",
      operands: [.files(songs + ["sf2", "sf3"])],
      seeAlso: ["play", "presets", "render"],
      help: { Help.info }, errorOutput: .info, run: InfoCommand.run),
    Verb(
      name: "merge", arguments: "-o ALL.json PART.json …",
      summary: "join the reports of a list's parts",
      operands: [.files(["json"])],
      seeAlso: ["render"],
      help: { Help.merge }, run: MergeCommand.run),
    Verb(
      name: "serve", arguments: "[OPTIONS]", summary: "publish instruments and effects",
      seeAlso: ["connect", "list", "panel", "status"],
      help: { Help.serve }, run: ServeCommand.run),
    Verb(
      name: "list", arguments: "[OPTIONS]", summary: "list the ports that hosts can use",
      seeAlso: ["describe", "status"],
      help: { Help.list }, run: ListCommand.run),
    Verb(
      name: "describe", arguments: "PORT", summary: "show a port's parameters and presets",
      operands: [.ports, .nothing],
      seeAlso: ["get", "list", "presets"],
      help: { Help.describe }, run: DescribeCommand.run),
    Verb(
      name: "presets", arguments: "[PORT|FILE] [WORD …]",
      summary: "list presets of a port or SoundFont",
      operands: [.ports, .nothing],
      seeAlso: ["set", "try"],
      help: { Help.presets }, run: PresetsCommand.run),
    Verb(
      name: "set", arguments: "PORT gain=-3 …", summary: "change the sound of a running port",
      operands: [.ports, .nothing],
      seeAlso: ["get", "describe"],
      help: { Help.set }, run: SetCommand.run),
    Verb(
      name: "get", arguments: "PORT [SETTING …]", summary: "show the settings of a port",
      operands: [.ports, .nothing],
      seeAlso: ["set"],
      help: { Help.get }, run: GetCommand.run),
    Verb(
      name: "scene", arguments: "[NAME|next|previous]", summary: "change what keyboards play",
      operands: [.words(["next", "previous", "save"]), .nothing],
      seeAlso: ["zones"],
      help: { Help.scene }, run: SceneCommand.run),
    Verb(
      name: "zones", arguments: "PORT [LIST]", summary: "split and layer keyboards",
      operands: [.ports, .nothing],
      seeAlso: ["scene"],
      help: { Help.zones }, run: ZonesCommand.run),
    Verb(
      name: "panic", arguments: "[PORT]", summary: "end everything that sounds",
      operands: [.ports, .nothing],
      help: { Help.panic }, run: PanicCommand.run),
    Verb(
      name: "take", arguments: "[DURATION] [PORT]",
      summary: "write what keyboards have just played",
      operands: [.ports],
      seeAlso: ["render"],
      help: { Help.take }, run: TakeCommand.run),
    Verb(
      name: "learn", arguments: "PORT PARAMETER", summary: "assign a knob or key of a keyboard",
      operands: [.ports, .nothing],
      seeAlso: ["describe", "set"],
      help: { Help.learn }, run: LearnCommand.run),
    Verb(
      name: "play", arguments: "[OPTIONS] SONG.mid …", summary: "play MIDI files",
      operands: [.files(songs)],
      seeAlso: ["info", "list", "remote", "render"],
      help: { Help.play }, errorOutput: .play, run: PlayCommand.run),
    Verb(
      name: "try", arguments: "PRESET [KEYS]", summary: "hear a preset of a SoundFont",
      seeAlso: ["info", "play", "presets"],
      help: { Help.try }, run: TryCommand.run),
    Verb(
      name: "connect", arguments: "[KEYBOARD PORT]", summary: "connect keyboards to ports",
      operands: [.nothing, .ports, .nothing],
      seeAlso: ["serve"],
      help: { Help.connect }, run: ConnectCommand.run),
    Verb(
      name: "status", arguments: "", summary: "show running nodes and their load",
      seeAlso: ["list"],
      help: { Help.status }, run: StatusCommand.run),
    Verb(
      name: "panel", arguments: "", summary: "print the link of a server's web panel",
      seeAlso: ["serve"],
      help: { Help.panel }, run: PanelCommand.run),
    Verb(
      name: "remote", arguments: "COMMAND", summary: "control the host that plays a port",
      operands: [.words(RemoteOptions.names), .nothing],
      seeAlso: ["play"],
      help: { Help.remote }, run: RemoteControl.run),
    Verb(
      name: "lv2", arguments: "list|install|remove",
      summary: "plugins that play ports in other hosts",
      operands: [.words(["list", "install", "remove"]), .nothing],
      seeAlso: ["list"],
      help: { Help.lv2 }, run: LV2Command.run),
    Verb(
      name: "config", arguments: "[OPTIONS]",
      summary: "show settings and where they come from",
      seeAlso: ["serve"],
      help: { Help.config }, run: ConfigCommand.run),
    Verb(
      name: "doctor", arguments: "", summary: "check whether this machine can play",
      seeAlso: ["config"],
      help: { Help.doctor }, run: DoctorCommand.run),
  ]
}
