import Configuration
import LocalSystem

/// The options of `portative config`.
struct ConfigOptions {
  var configuration: String?
  var soundFont: String?
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `config`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage(
        "config takes options only, but got '\(operand)': name a file with --config FILE")
    }
  }

  static let table = OptionTable<ConfigOptions>(rows: [
    .path(
      "-c", "--config", value: "FILE", help: "the configuration file, as for portative serve",
      \.configuration
    ).completing(.files(["json", "json5"])),
    .path(
      "-s", "--soundfont", value: "FILE", help: "the SoundFont, as for portative serve",
      \.soundFont
    ).completing(.soundFonts),
    .flag("--json", help: "write one line of JSON", \.isJSON), .help(\.wantsHelp),
  ])
}
