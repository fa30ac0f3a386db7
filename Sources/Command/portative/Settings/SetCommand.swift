import Configuration
import LivePlayer
import LocalSystem
import NodeHost
import NodeProtocol
import PortativeServer
import RenderCore

/// The verb `set`: changes parameters, the preset and the SoundFont of a port that is running.
enum SetCommand {
  /// - Parameter arguments: The arguments after `set`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try SetOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.set) }
    let component = try Component.running(
      named: options.port, hint: ", or write the settings into its configuration")
    let control = try AudioHost(name: "portative set").control(of: component)
    try apply(options.assignments, to: control)
    return .done
  }

  /// Changes the SoundFont first, then selects the preset, then sets the parameters. All names and values are checked
  /// before anything is changed, except those that depend on the new SoundFont.
  static func apply(_ assignments: [Assignment], to control: some SettablePort) throws {
    var values: [String: Float] = [:]
    var (preset, file): (String?, String?) = (nil, nil)
    for assignment in assignments {
      switch assignment.name {
      case "preset": preset = assignment.value
      case "soundfont": file = absolutePath(assignment.value)
      default:
        let parameter = try parameter(
          assignment.name, of: control, others: ["preset", "soundfont"])
        let value = try ParameterText(parameter: parameter).value(assignment.value)
        values[parameter.identifier] = value
      }
    }
    do throws(ParameterError) {
      try control.parameters.check(values)
    } catch {
      throw Failure.usage("\(control.port.name): \(error)")
    }
    if let file { try control.setFile("soundfont", to: FileReference(path: file)) }
    if let preset {
      try control.usePreset(PresetSearch(presets: control.presets()).index(of: preset))
    }
    if !values.isEmpty { try control.set(values) }
  }

  /// - Parameter others: Further names, for the message about an unknown one.
  static func parameter(
    _ name: String, of control: some SettablePort, others: [String] = []
  ) throws(Failure) -> Parameter {
    let all = control.parameters.parameters
    if let parameter = all.first(where: { $0.identifier == name }) { return parameter }
    let hint = closest(to: name, among: all.map(\.identifier) + others)
    throw .usage(
      "\(control.port.name) has no parameter '\(name)': "
        + (hint.map { "did you mean \($0)?" }
          ?? "it has \((all.map(\.identifier) + others).joined(separator: ", "))"))
  }
}

/// A setting and its value: `gain=-3`.
struct Assignment: Equatable {
  let name: String
  let value: String

  init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// - Throws: ``Failure`` without an equals sign.
  init(reading text: String) throws(Failure) {
    guard let assignment = Assignment(text) else {
      throw .usage("a setting must be NAME=VALUE, as in gain=-3, but is '\(text)'")
    }
    self = assignment
  }

  /// - Returns: `nil` without an equals sign.
  init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    name = String(text[..<equals])
    value = String(text[text.index(after: equals)...])
  }
}

/// The options of `portative set`.
struct SetOptions {
  /// The port's name, or part of it.
  var port = ""
  var assignments: [Assignment] = []
  var wantsHelp = false

  /// Reads the arguments after `set`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    guard operands.count >= 2 else {
      throw .usage("set needs a port and settings: portative set piano gain=-3")
    }
    port = operands[0]
    for operand in operands.dropFirst() {
      assignments.append(try Assignment(reading: operand))
    }
  }

  static let table = OptionTable<SetOptions>(rows: [.help(\.wantsHelp)])
}

extension Help {
  static let set = HelpText(
    usage: [
      "portative set PORT SETTING=VALUE …"
    ],
    description: """
      Changes the sound of a running port from the next cycle on, whether keyboards or
      a host play it. A host is told. The settings are those that portative get and
      portative describe show, and

        preset=NAME     by name, by words of the name, or as BANK:PROGRAM; for the
                        first MIDI channel
        soundfont=FILE  what sounds fades; programs and parameters remain

      What keyboards play keeps the settings until the server ends. To keep them
      longer, write them into the configuration.
      """,
    options: SetOptions.table.entries,
    examples: """
      portative set piano gain=-3 reverb.room=0.4
      portative set piano preset="Church Organ" chorus.on=off
      portative set piano soundfont=~/Grand.sf2
      """)
}

/// A port whose settings can be read and changed: without acquiring it, or as its host.
protocol SettablePort {
  var port: PortDescription { get }
  var parameters: ParameterTree { get }
  func values() throws(ConnectionError) -> [Float]
  func presets() throws(ConnectionError) -> [Preset]
  func files() throws(ConnectionError) -> [UnitFile]
  func set(_ values: [String: Float]) throws(ConnectionError)
  func usePreset(_ index: Int) throws(ConnectionError)
  func setFile(_ identifier: String, to file: FileReference) throws(ConnectionError)
}

extension PortControl: SettablePort {}

extension Connection: SettablePort {
  func values() throws(ConnectionError) -> [Float] { try parameterValues() }
  func set(_ values: [String: Float]) throws(ConnectionError) { try setParameters(values) }
}
