import Configuration
import LivePlayer
import LocalSystem
import NodeHost
import NodeProtocol
import PortativeServer
import RenderCore

/// The verb `get`: shows the settings of a port as `set` takes them.
enum GetCommand {
  /// - Parameter arguments: The arguments after `get`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try GetOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.get) }
    let connector = NodeConnector(host: AudioHost(name: "portative get")) {
      Terminal.note($0.description)
    }
    let component = try NodeFinder(for: .port).find(options.port)
    let settings = CurrentSettings(try connector.control(of: component))
    if options.isJSON { return try Command.write(JSONOutput.get.line(try settings.entry())) }
    let lines = try settings.lines()
    if options.names.isEmpty {
      return try Command.write(lines.map { "\($0.name)=\($0.value)\n" }.joined())
    }
    var text: OutputText = ""
    for name in options.names {
      guard let line = lines.first(where: { $0.name == name }) else {
        throw unknown(name, of: component.port, among: lines.map(\.name))
      }
      text.append("\(line.value)\n")
    }
    return try Command.write(text)
  }

  private static func unknown(
    _ name: String, of port: PortDescription, among names: [String]
  ) -> Failure {
    let hint = closest(to: name, among: names)
    return .usage(
      "\(port.name) has no setting '\(name)': "
        + (hint.map { "did you mean \($0)?" } ?? "it has \(names.joined(separator: ", "))"))
  }
}

/// The settings of a port, as texts and as JSON.
struct CurrentSettings {
  private let control: PortControl

  init(_ control: PortControl) { self.control = control }

  /// The name and value of each setting: the SoundFont, the preset if its parameters select one, then the parameters.
  func lines() throws -> [(name: String, value: String)] {
    let values = try control.values()
    var lines = try control.files().map { ($0.identifier, $0.file.path) }
    if let preset = try preset(values) { lines.append(("preset", preset.name)) }
    for (parameter, value) in zip(control.parameters.parameters, values) {
      lines.append((parameter.identifier, ParameterText(parameter: parameter).text(value)))
    }
    return lines
  }

  /// Returns the preset of the SoundFont that is selected.
  private func preset(_ values: [Float]) throws -> Preset? {
    let tree = control.parameters
    guard let bank = tree.index(of: "preset.bank"), let program = tree.index(of: "preset.program")
    else { return nil }
    let number = PresetNumber(bank: Int(values[bank]), program: Int(values[program]))
    return try control.presets().first { $0.number == number }
  }

  struct Entry: Encodable {
    let port: PortDescription
    let values: [String: Float]
    let preset: String?
    let files: [UnitFile]
  }

  func entry() throws -> Entry {
    let values = try control.values()
    let identifiers = control.parameters.parameters.map(\.identifier)
    return Entry(
      port: control.port, values: Dictionary(zip(identifiers, values)) { $1 },
      preset: try preset(values)?.name, files: try control.files())
  }
}

/// The options of `portative get`.
struct GetOptions {
  /// The port's name, or part of it.
  var port = ""
  /// The settings to show; all if empty.
  var names: [String] = []
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `get`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    guard let port = operands.first else { throw .usage("get needs a port: portative get piano") }
    self.port = port
    names = Array(operands.dropFirst())
    if isJSON, !names.isEmpty {
      throw .usage("--json shows all settings, but '\(names[0])' was named: leave one of them out")
    }
  }

  static let table = OptionTable<GetOptions>(rows: [
    .flag("--json", help: "write one line of JSON", \.isJSON), .help(\.wantsHelp),
  ])
}

extension Help {
  static let get = HelpText(
    usage: [
      "portative get [--json] PORT [SETTING …]"
    ],
    description: """
      Shows the settings of a port as portative set takes them, or the values of some.
      A port that keyboards or a host play is not interrupted. If its node is not
      running, it is started.
      """,
    options: GetOptions.table.entries,
    examples: """
      portative get piano gain
      """)
}
