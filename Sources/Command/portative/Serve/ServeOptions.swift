import LocalSystem
import Options
import SoundDevices

/// The options of `portative serve`.
struct ServeOptions: Equatable {
  /// The configuration file; `nil` for the user's and the system's.
  var configuration: String?
  var soundFont: String?
  /// The name of the node.
  var node = Self.defaultNode
  /// The sound device of the ports that no host uses.
  var sound = SoundChoice()
  var keyboards = Keyboards.alsa
  /// Whether to write the manifest instead of serving.
  var installs = false
  /// Whether to check the configuration instead of serving.
  var checks = false
  var isQuiet = false
  var wantsHelp = false

  enum Keyboards: String, CaseIterable { case alsa, none }

  static let defaultNode = "portative"

  /// Reads the arguments after `serve`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage("serve takes no file, but got '\(operand)': what it publishes is in --config")
    }
    if checks, installs { throw .usage("--check writes nothing: leave out --install") }
  }

  static let table = OptionTable<ServeOptions>(
    rows: [
      .init(
        names: ["-c", "--config"], value: "FILE",
        help: "what to publish, instead of what the files below say"
      ) { options, text throws(Failure) in options.configuration = text },
      .init(
        names: ["-s", "--soundfont"], value: "FILE",
        help: "the SoundFont of ports that name none"
      ) { options, text throws(Failure) in options.soundFont = text },
      .init(
        names: ["--name"], value: "NODE",
        help: "the node's name, under which hosts find it\n(\(defaultNode))"
      ) { options, text throws(Failure) in options.node = text },
    ]
      + SoundChoice.rows(
        \.sound,
        device:
          "where it sounds while no host has the ports:\na device of ALSA's, jack, or none (default)",
        period: "the cycle to ask the device for: shorter is\nsooner heard, and more work (256)"
      ) + [
        .init(
          names: ["--midi"], value: "alsa|none",
          help: "whether keyboards play the ports (alsa)"
        ) { options, text throws(Failure) in
          options.keyboards = try OptionValue.choice(text, of: "--midi")
        },
        .init(
          names: ["--install"], value: nil,
          help:
            "let hosts start this node by themselves, with\nthese options: write its manifest, and end"
        ) { options, _ throws(Failure) in options.installs = true },
        .init(
          names: ["--check"], value: nil,
          help: "look whether the configuration can be served,\nand end: nothing is published"
        ) { options, _ throws(Failure) in options.checks = true },
        .init(names: ["-q", "--quiet"], value: nil, help: "say nothing but errors") {
          options, _ throws(Failure) in options.isQuiet = true
        },
        .init(names: ["-h", "--help"], value: nil, help: "this text") {
          options, _ throws(Failure) in options.wantsHelp = true
        },
      ])
}
