import LocalSystem
import NodeDirectory
import Options

/// The options of `portative list`.
struct ListOptions {
  var type: PortType?
  var order = ComponentOrder.makerAndName
  var watches = false
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `list`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage("list takes options only, but got '\(operand)'; see portative list --help")
    }
  }

  static let table = OptionTable<ListOptions>(rows: [
    .init(
      names: ["-t", "--type"], value: "TYPE", help: "instrument, effect, musicEffect or generator"
    ) { options, text throws(Failure) in
      options.type = try OptionValue.choice(text, of: "--type")
    },
    .init(names: ["--recent"], value: nil, help: "the last used first, and when that was") {
      options, _ throws(Failure) in options.order = .lastUse
    },
    .init(names: ["-w", "--watch"], value: nil, help: "show what changes, until interrupted") {
      options, _ throws(Failure) in options.watches = true
    },
    .init(
      names: ["--json"], value: nil,
      help: "a line of JSON for each port; with --watch, one\nfor each change, with all ports"
    ) {
      options, _ throws(Failure) in options.isJSON = true
    },
    .init(names: ["-h", "--help"], value: nil, help: "this text") {
      options, _ throws(Failure) in options.wantsHelp = true
    },
  ])
}
