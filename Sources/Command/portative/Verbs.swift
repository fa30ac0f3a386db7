import Configuration

/// The verbs of the program, in the order of its help.
enum Verbs {
  private static let files = ["mid", "midi", "smf", "kar", "rmi"]

  /// What users of other programs and of earlier versions look for, and the command for it.
  static let others = [
    "convert": "portative render", "export": "portative render", "bounce": "portative render",
    "wav": "portative render", "mp3": "portative render --format mp3",
    "stems": "portative render --stems channel", "loud": "portative render --normalize -16LUFS",
    "louder": "portative render --normalize -16LUFS", "normalize": "portative render --normalize",
    "transpose": "portative render --transpose", "tempo": "portative render --tempo",
    "merge": "portative render --merge",
    "record": "portative serve --record FILE or portative take",
    "volume": "portative set PORT gain=-3", "gain": "portative set PORT gain=-3",
    "zones": "portative set PORT zones=LIST", "learn": "portative set PORT --learn PARAMETER",
    "show": "portative info", "file": "portative info", "inspect": "portative info",
    "describe": "portative info PORT", "get": "portative info PORT",
    "presets": "portative info --presets", "instruments": "portative info --presets",
    "soundfont": "portative config set soundfont=FILE", "settings": "portative config",
    "validate": "portative check lv2:URI", "test": "portative doctor",
    "ports": "portative list", "status": "portative list --status", "start": "portative serve",
    "stop": "portative remote stop or portative panic", "connections": "portative connect",
    "keyboards": "portative devices", "audio": "portative devices",
    "server": "portative serve", "daemon": "portative serve", "web": "portative serve --panel",
    "panel": "portative serve --panel, or --panel-link",
  ]

  /// Verbs for one task.
  struct Group: Sendable {
    let title: String
    let verbs: [Verb]
  }

  static var all: [Verb] { groups.flatMap(\.verbs) }

  static let groups = [
    Group(title: "Songs", verbs: songs), Group(title: "Ports", verbs: ports),
    Group(title: "On stage", verbs: stage), Group(title: "This machine", verbs: machine),
  ]

  private static let songs = [
    Verb(
      name: "play", arguments: "SONG.mid …", summary: "play MIDI files",
      operands: [.files(files)],
      seeAlso: ["info", "list", "remote", "render"],
      help: { Help.play }, errorOutput: .play, run: PlayCommand.run),
    Verb(
      name: "render", arguments: "SONG.mid …", summary: "render MIDI files to audio files",
      operands: [.files(files + ["json"])],
      seeAlso: ["info", "play"],
      help: { Help.render }, errorOutput: .render, run: RenderCommand.run),
    Verb(
      name: "info", arguments: "FILE|PORT …",
      summary: "show what is in songs, SoundFonts and ports",
      operands: [.files(files + ["sf2", "sf3"])],
      seeAlso: ["list", "play", "render", "set"],
      help: { Help.info }, errorOutput: .info, run: InfoCommand.run),
    Verb(
      name: "try", arguments: "PRESET [KEYS]", summary: "hear a preset of a SoundFont",
      seeAlso: ["info", "play"],
      help: { Help.try }, run: TryCommand.run),
  ]

  private static let ports = [
    Verb(
      name: "serve", arguments: "",
      summary: "publish instruments and effects",
      seeAlso: ["connect", "list"],
      help: { Help.serve }, run: ServeCommand.run),
    Verb(
      name: "list", arguments: "", summary: "list the ports, and who plays them",
      seeAlso: ["info", "serve"],
      help: { Help.list }, run: ListCommand.run),
    Verb(
      name: "set", arguments: "PORT gain=-3 …",
      summary: "change the sound, zones and controls of a port",
      operands: [.ports, .nothing],
      seeAlso: ["info", "scene"],
      help: { Help.set }, run: SetCommand.run),
    Verb(
      name: "connect", arguments: "[KEYBOARD PORT]", summary: "connect keyboards to ports",
      operands: [.nothing, .ports, .nothing],
      seeAlso: ["devices", "serve"],
      help: { Help.connect }, run: ConnectCommand.run),
    Verb(
      name: "remote", arguments: "COMMAND", summary: "control the host that plays a port",
      operands: [.words(RemoteOptions.names), .nothing],
      seeAlso: ["play"],
      help: { Help.remote }, run: RemoteControl.run),
  ]

  private static let stage = [
    Verb(
      name: "scene", arguments: "[NAME|next|previous]", summary: "change what keyboards play",
      operands: [.words(["next", "previous", "save"]), .nothing],
      seeAlso: ["set"],
      help: { Help.scene }, run: SceneCommand.run),
    Verb(
      name: "take", arguments: "[DURATION] [PORT]",
      summary: "write what keyboards have just played",
      operands: [.ports],
      seeAlso: ["render"],
      help: { Help.take }, run: TakeCommand.run),
    Verb(
      name: "panic", arguments: "[PORT]", summary: "end everything that sounds",
      operands: [.ports, .nothing],
      seeAlso: ["set"],
      help: { Help.panic }, run: PanicCommand.run),
  ]

  private static let machine = [
    Verb(
      name: "devices", arguments: "", summary: "list sound devices and keyboards",
      seeAlso: ["connect", "doctor"],
      help: { Help.devices }, run: DevicesCommand.run),
    Verb(
      name: "lv2", arguments: "list|install|remove",
      summary: "install plugins that play ports in other hosts",
      operands: [.words(["list", "install", "remove"]), .nothing],
      seeAlso: ["list"],
      help: { Help.lv2 }, run: LV2Command.run),
    Verb(
      name: "check", arguments: "lv2:URI …", summary: "measure what plugins do",
      operands: [.nothing],
      seeAlso: ["doctor", "list"],
      help: { Help.check }, run: CheckCommand.run),
    Verb(
      name: "config", arguments: "[set|unset NAME=VALUE]",
      summary: "show or change settings",
      operands: [.words(["set", "unset"]), .nothing],
      seeAlso: ["serve"],
      help: { Help.config }, run: ConfigCommand.run),
    Verb(
      name: "doctor", arguments: "", summary: "check whether this machine can play",
      seeAlso: ["config", "devices"],
      help: { Help.doctor }, run: DoctorCommand.run),
  ]
}
