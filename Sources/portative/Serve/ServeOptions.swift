/// What `portative serve` was asked for.
struct ServeOptions: Equatable {
  /// Read instead of the user's and the system's.
  var configuration: String?
  var soundFont: String?
  /// The node's name.
  var node = "portative"
  var isQuiet = false
  var wantsHelp = false

  /// Reads the arguments after `serve`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage("serve takes no file, but got '\(operand)': what it publishes is in --config")
    }
  }

  static let table = OptionTable<ServeOptions>(rows: [
    .init(
      names: ["-c", "--config"], value: "FILE",
      help: "what to publish (ports in config.json)"
    ) { options, text throws(Failure) in options.configuration = text },
    .init(
      names: ["-s", "--soundfont"], value: "FILE",
      help: "the SoundFont of ports that name none"
    ) { options, text throws(Failure) in options.soundFont = text },
    .init(
      names: ["--name"], value: "NODE",
      help: "the node's name, under which hosts find it\n(portative)"
    ) { options, text throws(Failure) in options.node = text },
    .init(names: ["-q", "--quiet"], value: nil, help: "say nothing but errors") {
      options, _ throws(Failure) in options.isQuiet = true
    },
    .init(names: ["-h", "--help"], value: nil, help: "this text") {
      options, _ throws(Failure) in options.wantsHelp = true
    },
  ])
}
