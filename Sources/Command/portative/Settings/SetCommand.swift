import BatchRenderer
import Configuration
import LivePlayer
import LocalSystem
import NodeHost
import NodeProtocol
import PortativeServer
import RenderCore

/// The verb `set`: changes parameters, the preset, the files and the zones of a port that is running, and assigns
/// controls of keyboards to them.
enum SetCommand {
  /// - Parameter arguments: The arguments after `set`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try SetOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.set) }
    if let request = options.request { return try ControlLearning.run(request, options.learn) }
    let component = try Component.running(
      named: options.port, hint: ", or write the settings into its configuration")
    let host = AudioHost(name: "portative set")
    let zones = options.assignments.last { $0.name == ZonesAssignment.name }
    let control = try host.control(of: component)
    let change = try SettingsChange(
      options.assignments.filter { $0.name != ZonesAssignment.name }, of: control,
      others: [ZonesAssignment.name])
    try zones.map { ZonesAssignment($0.value) }?.apply(to: component, host)
    try change.apply(to: control)
    return .done
  }
}

/// New values of a port's settings. All names and values have been checked, except those that depend on a new SoundFont.
struct SettingsChange {
  private var values: [String: Float] = [:]
  private var preset: String?
  /// The paths by the names of files.
  private var files: [String: String] = [:]

  /// - Parameter others: Settings that the caller changes, for the message about an unknown one.
  init(
    _ assignments: [Assignment], of control: some SettablePort, others: [String] = []
  ) throws(Failure) {
    let tree = control.parameters
    var known: [String]?
    for assignment in assignments {
      switch assignment.name {
      case "preset": preset = assignment.value
      case "soundfont": files["soundfont"] = absolutePath(assignment.value)
      case let name:
        if tree.index(of: name) == nil {
          // Reading the files takes time, and few plugins have any.
          let names = known ?? ((try? control.files()) ?? []).map(\.identifier)
          known = names
          if names.contains(name) {
            files[name] = absolutePath(assignment.value)
            continue
          }
        }
        let parameter = try Self.parameter(
          name, of: control, others: ["preset", "soundfont"] + (known ?? []) + others)
        let value = try ParameterText(parameter: parameter).value(assignment.value)
        values[parameter.identifier] = value
      }
    }
    do throws(ParameterError) {
      try control.parameters.check(values)
    } catch {
      throw Failure.usage("\(control.port.name): \(error)")
    }
  }

  /// Changes the files first, then selects the preset, then sets the parameters.
  func apply(to control: some SettablePort) throws {
    for (name, path) in files { try control.setFile(name, to: FileReference(path: path)) }
    if let preset {
      try control.usePreset(PresetSearch(presets: control.presets()).index(of: preset))
    }
    if !values.isEmpty { try control.set(values) }
  }

  /// - Parameter others: Further names, for the message about an unknown one.
  static func parameter(
    _ name: String, of control: some SettablePort, others: [String] = []
  ) throws(Failure) -> Parameter {
    try ParameterText.parameter(
      name, of: control.port.name, in: control.parameters, others: others)
  }
}

/// The options of `portative set`.
struct SetOptions {
  /// The port's name, or part of it.
  var port = ""
  var assignments: [Assignment] = []
  var learn = LearnOptions()
  /// What to do with controls of keyboards, instead of changing settings.
  private(set) var request: LearnOptions.Request?
  var wantsHelp = false

  /// Reads the arguments after `set`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    request = try learn.request(operands)
    if request != nil { return }
    guard operands.count >= 2 else {
      throw .usage(
        "set needs a port and settings: portative set \(operands.first ?? "piano") gain=-3")
    }
    port = operands[0]
    for operand in operands.dropFirst() {
      assignments.append(try Assignment(reading: operand))
    }
  }

  static let table = OptionTable<SetOptions>(
    rows: OptionTable(LearnOptions.table, at: \.learn).rows + [.help(\.wantsHelp)])
}

extension Help {
  static let set = HelpText(
    usage: [
      "portative set PORT SETTING=VALUE …",
      "portative set [OPTIONS] [PORT] --learn PARAMETER|panic",
      "portative set [PORT] --learned [--json]",
      "portative set [PORT] --forget PARAMETER|panic|all",
    ],
    description: """
      Changes the sound of a running port from the next cycle on, whether keyboards or
      a host play it. A host is told. The settings are those that portative info
      shows, and

        preset=NAME     by name, by words of the name, or as BANK:PROGRAM; for the
                        first MIDI channel
        soundfont=FILE  what sounds fades; programs and parameters remain; plugins
                        have files with names of their own
        zones=LIST      what parts of keyboards play, as in the configuration; - reads
                        standard input; nothing plays those of the scene or of the
                        configuration again

      Held notes keep their sound. What keyboards play keeps the settings until the
      server ends, and zones until a scene is chosen. To keep them longer, write them
      into the configuration; 'portative scene save NAME' does.

      With --learn, it waits until a control of a keyboard that plays PORT is moved: a
      knob, fader, wheel, pedal or button. From then on, the parameter follows it, or
      panic does. The port no longer receives what the control sends. Controllers of
      14 bits are recognized. Panic also learns keys; without PORT, it ends the sound
      of all ports of a node. The server stores what it has learned.
      """,
    options: SetOptions.table.entries,
    remarks: """
      A parameter has one learned control; a control may have several parameters.
      Controls can also be written into the configuration, as "controls"; learned ones
      take precedence.
      """,
    exitCodes: ExitStatus.of(0, 1, 2, 3),
    examples: """
      portative set "General MIDI" gain=-3 reverb.room=0.4
      portative set "General MIDI" preset="Church Organ" chorus.on=off
      portative set "General MIDI" --learn reverb.room --to 0.8
      portative set "General MIDI" soundfont=~/Grand.sf2
      portative set "General MIDI" zones='[{keys: "..B3", preset: "0:32"},
        {keys: "C4..", preset: "0:48", level: -6}]'
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
