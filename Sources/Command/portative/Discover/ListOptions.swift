import Configuration
import LocalSystem
import NodeProtocol

/// The options of `portative list`.
struct ListOptions {
  var type: PortType?
  var order = ComponentOrder.makerAndName
  var watches = false
  var isJSON = false
  /// Whether only names are written, for shells.
  var namesOnly = false
  /// Whether who plays the ports of running nodes, and their load, are listed.
  var wantsStatus = false
  /// Whether the installed LV2 plugins are listed.
  var wantsPlugins = false
  var wantsHelp = false

  /// Reads the arguments after `list`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage("list takes options only, but got '\(operand)'; see portative list --help")
    }
    if namesOnly, isJSON || watches, !wantsHelp {
      throw .usage("--names excludes --json and --watch: keep one")
    }
    if wantsPlugins, namesOnly || watches || wantsStatus || order == .lastUse, !wantsHelp {
      throw .usage("--lv2 excludes all options but --type and --json: keep one")
    }
    if wantsStatus, namesOnly || watches || type != nil || order == .lastUse, !wantsHelp {
      throw .usage("--status excludes all options but --json: keep one")
    }
  }

  static let table = OptionTable<ListOptions>(rows: [
    .init(
      names: ["-t", "--type"], value: "TYPE", help: "instrument, effect, musicEffect or generator"
    ) { $0.type = try OptionValue.choice($1, of: "--type") }
    .completing(.words(PortType.allCases.map(\.rawValue))),
    .init(
      names: ["--recent"], value: nil, help: "sort by the time of the last use, latest first"
    ) { options, _ in options.order = .lastUse },
    .flag(
      "--status", help: "show who plays the ports of running nodes, and\ntheir load", \.wantsStatus),
    .flag(
      "--lv2",
      help: "show the installed LV2 plugins, which serve --lv2 and\nplay --node lv2:URI can play",
      \.wantsPlugins),
    .flag("-w", "--watch", help: "show changes until interrupted", \.watches),
    .flag(
      "--json",
      help:
        "write a line of JSON for each port or plugin; with\n--watch, one for each change, with all ports; with\n--status, one for each node",
      \.isJSON),
    .flag(
      "--names",
      help:
        "write only names that other verbs take, one on each\nline: without the maker where that suffices",
      \.namesOnly), .help(\.wantsHelp),
  ])
}
