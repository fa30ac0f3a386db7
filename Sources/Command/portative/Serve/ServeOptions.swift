import LocalSystem
import Options
import PortativeServer
import SoundDevices
import WebPanel

/// The options of `portative serve`.
struct ServeOptions: Equatable {
  var settings = ServerSettings()
  /// Whether to write the manifest instead of serving.
  var installs = false
  /// Whether to check the configuration instead of serving.
  var checks = false
  /// The seconds without a host and a keyboard after which the server ends; `nil` for never.
  var unusedLimit: Double?
  var isQuiet = false
  /// Whether the log is written as lines, also on a terminal.
  var hasNoPanel = false
  /// Whether the panel is offered as a web page.
  var offersPanel = false
  var panel = PanelSettings()
  /// The file with the panel's password.
  var passwordFile: String?
  /// Whether to open the panel in a browser.
  var opensBrowser = false
  var wantsHelp = false

  /// Whether a panel may be shown.
  var showsPanel: Bool { !hasNoPanel && !isQuiet }

  private enum Keyboards: String, CaseIterable { case alsa, none }

  /// Reads the arguments after `serve`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage(
        "serve takes no file, but got '\(operand)': name a configuration file with --config")
    }
    if checks, installs { throw .usage("--check and --install exclude each other: keep one") }
    if let recording = settings.recording, !wantsHelp { try check(recording) }
    if !wantsHelp { try checkPanel() }
    if settings.followsLink, settings.sound.device == .none, !wantsHelp {
      throw .usage(
        "--link is for the ports on a sound device, but --audio is none: leave one of them out")
    }
  }

  private func check(_ recording: String) throws(Failure) {
    if installs {
      throw .usage(
        "--install and --record exclude each other, because each start needs a new file: keep one")
    }
    if recording == "-" {
      throw .usage("--record must be a file: portative serve --record live.wav")
    }
    if settings.sound.device == .none {
      throw .usage("--record needs a sound device, but --audio is none: leave one of them out")
    }
  }

  static let table = OptionTable<ServeOptions>(
    rows: [
      .path(
        "-c", "--config", value: "FILE", help: "the configuration file, instead of those below",
        \.settings.configuration
      ).completing(.files(["json", "json5"])),
      .path(
        "-s", "--soundfont", value: "FILE", help: "the SoundFont of ports that name none",
        \.settings.soundFont
      ).completing(.soundFonts),
      .init(
        names: ["--name"], value: "NODE",
        help: "the node's name, by which hosts find it\n(\(ServerSettings.defaultNode))"
      ) { $0.settings.node = $1 },
    ]
      + SoundChoice.rows(
        \.settings.sound,
        device: "the sound device of ports without a host: an ALSA\ndevice, jack or none (default)",
        period: "the cycle to request: a shorter one means less\ndelay and more load (256)"
      ) + [
        .init(
          names: ["--midi"], value: "alsa|none", help: "whether keyboards play the ports (alsa)"
        ) { options, text in
          let keyboards: Keyboards = try OptionValue.choice(text, of: "--midi")
          options.settings.usesKeyboards = keyboards == .alsa
        },
        .init(
          names: ["--until-unused"], value: "SECONDS",
          help:
            "end when no host and no keyboard has used a\nport for this time: for nodes that hosts start"
        ) { options, text in
          options.unusedLimit = try OptionValue.number(text, of: "--until-unused", in: 1...86_400)
        },
        .path(
          "--record", value: "FILE",
          help: "record the output to a file, and what keyboards\nplay to a MIDI file beside it",
          \.settings.recording),
        .flag(
          "--link",
          help: "follow the tempo and beats of the Link session of\nthe local network",
          \.settings.followsLink),
        .flag(
          "--install",
          help: "write the manifest with which hosts start this\nnode with these options, and exit",
          \.installs),
        .flag(
          "--check", help: "check the configuration, and exit without\npublishing anything",
          \.checks
        ),
      ] + panelRows + [
        .flag("--no-panel", help: "write a log, also on a terminal", \.hasNoPanel),
        .quiet(\.isQuiet), .help(\.wantsHelp),
      ])
}
