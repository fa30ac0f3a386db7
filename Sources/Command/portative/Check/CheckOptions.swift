import Configuration
import Glibc
import LV2Host
import LocalSystem
import NodeChecks
import NodeProtocol
import PluginNodes

/// The options of `portative check`.
struct CheckOptions {
  /// What is checked.
  var subjects: [Subject] = []
  /// What is measured.
  var measurements = Measurement.allCases
  /// Whether all installed LV2 plugins are checked.
  var checksPlugins = false
  /// Whether the program is a host.
  var checksHost = false
  /// The type of those plugins, `nil` for all; or of the port that the host plays, `nil` for an instrument.
  var type: PortType?
  /// Whether warnings are an exit code.
  var isStrict = false
  /// Whether what plugins and programs write is shown.
  var showsLog = false
  var isJSON = false
  var wantsHelp = false

  /// What a user names.
  enum Subject {
    case plugin(PluginSelection)
    case port(String)
    /// A program with ports that is started, with its arguments.
    case program(String, [String])
    /// A host that is started, with its arguments.
    case host(String, [String])
  }

  /// Reads the arguments after `check`.
  init(arguments: [String]) throws(Failure) {
    // What follows a program is for the program.
    let place = arguments.firstIndex { Self.program($0) != nil } ?? arguments.count
    let operands = try Self.table.parse(Array(arguments[..<place]), into: &self)
    if wantsHelp { return }
    if checksPlugins, let operand = operands.first {
      throw .usage("--lv2 checks all installed plugins, but '\(operand)' was named: leave one out")
    }
    if type != nil, !checksPlugins, !checksHost {
      throw .usage("--type is only for --lv2 and --host: leave it out")
    }
    if checksHost, checksPlugins {
      throw .usage("--host checks a host, and --lv2 all installed plugins: leave one out")
    }
    if place < arguments.count, let path = Self.program(arguments[place]) {
      if let other = operands.first {
        throw .usage(
          "check takes one program or several ports, but got '\(other)' and '\(arguments[place])'")
      }
      let rest = Array(arguments[(place + 1)...])
      subjects = [checksHost ? .host(path, rest) : .program(path, rest)]
      return
    }
    if checksHost {
      throw .usage(
        "--host needs a program, named by its path, and its arguments: portative check --host ./my-host song.mid"
      )
    }
    if operands.isEmpty, !checksPlugins {
      throw .usage(
        "no plugin, port or program was given: portative check lv2:URI, or portative list for those that there are"
      )
    }
    for operand in operands { subjects.append(try Self.subject(operand)) }
  }

  /// Returns the absolute path of a program.
  private static func program(_ operand: String) -> String? {
    guard operand.contains("/"), !operand.hasPrefix("-"), !operand.hasPrefix("lv2:") else {
      return nil
    }
    return access(operand, X_OK) == 0 ? resolvedPath(operand) : nil
  }

  private static func subject(_ operand: String) throws(Failure) -> Subject {
    do throws(LV2Error) {
      if let selection = try PluginSelection(prefixed: operand) { return .plugin(selection) }
    } catch {
      throw Failure(error)
    }
    return .port(operand)
  }

  static let table = OptionTable<CheckOptions>(rows: [
    .flag("--lv2", help: "check all installed LV2 plugins, a line for each", \.checksPlugins),
    .init(
      names: ["-t", "--type"], value: "TYPE",
      help:
        "with --lv2: only plugins of this type: instrument,\neffect, musicEffect or generator; with --host: that of\nthe port (instrument)"
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
    .flag("--host", help: "check a PROGRAM that plays ports", \.checksHost),
    .flag("--strict", help: "end with exit code 6 if there are warnings", \.isStrict),
    .flag("--log", help: "show what plugins and programs write", \.showsLog),
    .flag("--json", help: "write a line of JSON for each plugin or port", \.isJSON),
    .help(\.wantsHelp),
  ])
}
