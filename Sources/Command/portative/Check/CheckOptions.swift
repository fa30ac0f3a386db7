import Configuration
import LV2Host
import LocalSystem
import NodeChecks
import NodeProtocol
import PluginNodes

/// The options of `portative check`.
struct CheckOptions {
  /// What is checked, as a user names it.
  var subjects: [PluginSelection] = []
  /// What is measured.
  var measurements = Measurement.allCases
  /// Whether all installed LV2 plugins are checked.
  var checksPlugins = false
  /// The type of those plugins; `nil` for all.
  var type: PortType?
  /// Whether warnings are an exit code.
  var isStrict = false
  /// Whether what plugins write is shown.
  var showsLog = false
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `check`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    if checksPlugins, let operand = operands.first {
      throw .usage("--lv2 checks all installed plugins, but '\(operand)' was named: leave one out")
    }
    if type != nil, !checksPlugins {
      throw .usage("--type is only for --lv2: leave it out")
    }
    if operands.isEmpty, !checksPlugins {
      throw .usage(
        "no plugin was given: portative check lv2:URI, or portative list --lv2 for those that are installed"
      )
    }
    for operand in operands { subjects.append(try Self.subject(operand)) }
  }

  private static func subject(_ operand: String) throws(Failure) -> PluginSelection {
    do throws(LV2Error) {
      if let selection = try PluginSelection(prefixed: operand) { return selection }
    } catch {
      throw Failure(error)
    }
    throw .usage(
      "check takes LV2 plugins, such as lv2:http://gareus.org/oss/lv2/b_synth, but got '\(operand)'"
    )
  }

  static let table = OptionTable<CheckOptions>(rows: [
    .flag("--lv2", help: "check all installed LV2 plugins, a line for each", \.checksPlugins),
    .init(
      names: ["-t", "--type"], value: "TYPE",
      help: "with --lv2: only plugins of this type: instrument,\neffect, musicEffect or generator"
    ) { $0.type = try OptionValue.choice($1, of: "--type") }
    .completing(.words(PortType.allCases.map(\.rawValue))),
    .init(
      names: ["--only"], value: "LIST",
      help: "what is measured, separated by commas (all)"
    ) { options, text in
      options.measurements = try text.split(separator: ",").map { name throws(Failure) in
        try OptionValue.choice(String(name), of: "--only")
      }
    }.completing(.words(Measurement.allCases.map(\.rawValue))),
    .flag("--strict", help: "end with exit code 6 if there are warnings", \.isStrict),
    .flag("--log", help: "show what plugins write", \.showsLog),
    .flag("--json", help: "write a line of JSON for each plugin", \.isJSON),
    .help(\.wantsHelp),
  ])
}
