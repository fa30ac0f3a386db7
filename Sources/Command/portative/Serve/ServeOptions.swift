import Configuration
import Glibc
import LocalSystem
import NodeProtocol
import PortativeServer
import WebPanel

/// The options of `portative serve`.
struct ServeOptions: Equatable {
  var settings = ServerSettings()
  /// Whether to write the manifest instead of serving.
  var installs = false
  /// Whether to check the configuration instead of serving.
  var checks = false
  /// Whether the result of the check is written as JSON.
  private(set) var isJSON = false
  var isQuiet = false
  /// Whether the log is written as lines, also on a terminal.
  private var hasNoPanel = false
  /// Whether the panel is offered as a web page.
  var offersPanel = false
  var panel = PanelSettings()
  /// The file with the panel's password.
  private var passwordFile: String?
  /// Whether to open the panel in a browser.
  private(set) var opensBrowser = false
  /// Whether to print the link of a running server's panel instead of serving.
  private(set) var printsLink = false
  /// The name of the node, if it was given.
  private(set) var givenNode: String?
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
    // The manifest of the usual node lists other ports, and it may be running.
    if !settings.plugins.isEmpty, givenNode == nil { settings.node = Self.pluginNode }
    if printsLink, !wantsHelp {
      if offersPanel || checks || installs {
        throw .usage("--panel-link excludes --panel, --check and --install: keep one")
      }
      return
    }
    if isJSON, !checks, !wantsHelp { throw .usage("--json is only for --check: leave it out") }
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

  /// The name of a node of LV2 plugins.
  private static let pluginNode = "lv2"

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
        names: ["--lv2"], value: "URI",
        help:
          "publish an LV2 plugin of portative list --lv2\ninstead of the configured ports; URI#PRESET for\none of its presets, URI?NAME=FILE for its files;\nrepeat for several",
        repeats: true
      ) { $0.settings.plugins.append($1) },
      .init(
        names: ["--name"], value: "NODE",
        help:
          "the node's name, by which hosts find it\n(\(ServerSettings.defaultNode); lv2 with --lv2)"
      ) { options, name in
        options.settings.node = name
        options.givenNode = name
      },
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
          options.settings.unusedLimit = try OptionValue.number(
            text, of: "--until-unused", in: 1...86_400)
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
        .flag("--json", help: "with --check: write one line of JSON", \.isJSON),
      ] + panelRows + [
        .flag("--no-panel", help: "write a log, also on a terminal", \.hasNoPanel),
        .quiet(\.isQuiet), .help(\.wantsHelp),
      ])
}

// The options of the panel that is a web page.
extension ServeOptions {
  private static var panelRows: [OptionTable<ServeOptions>.Row] {
    [
      .flag("--panel", help: "offer a panel as a web page, and print its link", \.offersPanel),
      .flag("--open", help: "open that page in the browser", \.opensBrowser),
      .flag(
        "--panel-link", help: "print the link of the panel of a server that runs",
        \.printsLink),
      .init(
        names: ["--panel-port"], value: "PORT",
        help: "its port (that of the last time, or any)"
      ) {
        $0.panel.port = try OptionValue.whole($1, of: "--panel-port", in: 1...65_535)
      },
      .init(
        names: ["--panel-address"], value: "IP",
        help: "an address that other machines reach; needs\n--panel-password"
      ) { options, text in
        guard isAddress(text) else {
          throw Failure.usage(
            "--panel-address must be an address such as 192.168.1.20, but was '\(text)'")
        }
        options.panel.address = text
      },
      .path(
        "--panel-password", value: "FILE",
        help: "a file whose first line is the password for pages\nof other machines", \.passwordFile
      ),
    ]
  }

  private static func isAddress(_ text: String) -> Bool {
    var address = in6_addr()
    return [AF_INET, AF_INET6].contains { inet_pton($0, text, &address) == 1 }
  }

  /// Checks the options of the panel, and reads its password.
  private mutating func checkPanel() throws(Failure) {
    let isUsed = opensBrowser || panel != PanelSettings() || passwordFile != nil
    if isUsed, !offersPanel {
      throw .usage(
        "--open, --panel-port, --panel-address and --panel-password need --panel: add it")
    }
    if offersPanel, installs {
      throw .usage(
        "--panel and --install exclude each other, because hosts start a node unseen: keep one")
    }
    if panel.address != nil, passwordFile == nil {
      throw .usage(
        "--panel-address needs a password, because other machines reach the panel: add "
          + "--panel-password FILE")
    }
    if let passwordFile { panel.password = try Self.password(in: passwordFile) }
  }

  private static func password(in path: String) throws(Failure) -> String {
    let bytes: [UInt8]?
    do throws(WholeFile.Failure) {
      bytes = try WholeFile.read(path, limit: 4096, isSecret: true)
    } catch  where error.code == EPERM {
      throw .usage(
        "the password file '\(path)' must be accessible to its owner only, but is to others too: chmod 600 '\(path)'"
      )
    } catch {
      throw .usage("cannot read the password in '\(path)': \(errnoDescription(error.code))")
    }
    guard let bytes else { throw .usage("there is no file '\(path)': write a password into it") }
    let line = String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
    guard line.count >= PanelSettings.shortestPassword else {
      throw .usage(
        "the password in '\(path)' must have at least \(PanelSettings.shortestPassword) characters, "
          + "but has \(line.count): use a longer one")
    }
    return line
  }

  /// Offers the panel, and prints its link to a terminal.
  func makePanel(of server: PortativeServer, _ log: ServerLog) throws -> WebPanel {
    let web = try WebPanel(
      panel, of: server, node: settings.node,
      host: ServerPanelHost(node: settings.node, log: log), observer: log)
    let address = web.link.prefix { $0 != "#" }
    let hint = "panel: \(address) – portative serve --panel-link prints the link with its secret"
    if Terminal.errorIsTerminal {
      log.log("panel: \(web.link)", record: hint)
    } else {
      // A journal is read by others, and kept.
      log.log(hint)
    }
    if let link = web.publicLink {
      log.log("panel for other machines: \(link)")
      log.log(
        warning:
          "the connection of pages of other machines is not encrypted: use it only in a network that you "
          + "trust, or in a tunnel: ssh -L PORT:127.0.0.1:PORT, with the port of the link")
    }
    if geteuid() == 0 {
      log.log(
        warning:
          "the panel runs as root: whoever is admitted plays and changes files as root; start the server as "
          + "an ordinary user")
    }
    if opensBrowser {
      do throws(Browser.Problem) {
        try Browser.open(web.link)
      } catch {
        log.log(error: "\(error): open the link that portative serve --panel-link prints")
      }
    }
    return web
  }
}
