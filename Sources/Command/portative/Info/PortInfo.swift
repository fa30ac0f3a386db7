import BatchRenderer
import Configuration
import LV2Host
import LivePlayer
import LocalSystem
import NodeChecks
import NodeHost
import NodeProtocol
import PluginNodes
import PortativeServer
import RenderCore

/// A port: its SoundFont and preset, its parameters with their values, its presets.
struct PortInfo {
  private let port: PortDescription
  /// In frames.
  private let latency: Int
  private let parameters: ParameterTree
  /// What becomes of the frame of a note, as `portative check` measures it; `nil` if it is not known.
  private let onset: String?
  /// The current values, in the order of the parameters.
  private let values: [Float]
  private let presets: [Preset]
  private let files: [UnitFile]
  /// The zones in the notation of the configuration; `nil` if the port has none.
  private let zones: String?

  /// Reads a port without interrupting who plays it. Its node is started if it is not running.
  ///
  /// - Parameter name: The port's name, or part of it.
  init(_ name: String) throws {
    let finder = NodeFinder(for: .port)
    if finder.named(name).isEmpty {
      Terminal.note("there is no file '\(name)'")
    }
    let component = try finder.find(name)
    let control = try Self.control(of: component)
    (port, latency, parameters) = (control.port, control.latency, control.parameters)
    onset = nil
    zones = try Self.zones(of: component)
    values = try control.values()
    presets = try control.presets()
    files = try control.files()
  }

  /// Reads an LV2 plugin, in a process of its own, and measures its onset, which takes about a second.
  init(_ selection: PluginSelection) throws {
    let plugin = selection.plugin
    let connection = try PluginProcess.connect(selection, from: Self.host)
    defer { connection.close() }
    let inputs = plugin.portType.takesAudio ? plugin.audioInputs : 0
    try PluginProcess.initialize(
      connection, Format(inputChannels: inputs, outputChannels: plugin.audioOutputs),
      mode: .offline, priority: 0)
    (port, latency, parameters) = (connection.port, connection.latency, connection.parameters)
    values = try connection.parameterValues()
    presets = try connection.presets()
    files = try connection.files()
    zones = nil
    let subject = PluginSubject(selection, from: Self.host, showsLog: false)
    let row = NodeCheck(subject, isBrief: true).run([.onset]) { _ in }.first
    onset = row.flatMap { $0.verdict == .unmeasured ? nil : $0.result }
  }

  private static var host: AudioHost { AudioHost(name: "portative info") }

  /// Returns the control of a port. Its node is started if it is not running.
  static func control(of component: Component) throws -> PortControl {
    try NodeConnector(host: host) { Terminal.note($0.description) }.control(of: component)
  }

  /// - Returns: `nil` also for a node that is not a server.
  private static func zones(of component: Component) throws(ConnectionError) -> String? {
    do {
      return try host.zones(of: component)
    } catch .refused {
      return nil
    }
  }

  // MARK: Settings

  /// The names and values of all settings as `portative set` takes them: the SoundFont, the preset if parameters select
  /// one, the zones if there are any, then the parameters.
  var settings: [Assignment] {
    var lines = files.map { Assignment(name: $0.identifier, value: $0.file.path) }
    if let preset { lines.append(Assignment(name: "preset", value: preset.name)) }
    if let zonesLine { lines.append(Assignment(name: ZonesAssignment.name, value: zonesLine)) }
    return lines
      + zip(parameters.parameters, values).map { parameter, value in
        Assignment(
          name: parameter.identifier, value: ParameterText(parameter: parameter).text(value))
      }
  }

  /// Returns a line with the value of each of some settings.
  ///
  /// - Throws: ``Failure`` with the names that exist.
  func values(of names: [String]) throws(Failure) -> OutputText {
    var text: OutputText = ""
    let settings = settings
    for name in names {
      if name == ZonesAssignment.name {
        text.append(OutputText(json: (zones ?? "[]") + "\n"))
      } else if let setting = settings.first(where: { $0.name == name }) {
        text.append("\(setting.value)\n")
      } else {
        let known = settings.map(\.name)
        throw .usage(
          "\(port.name) has no setting '\(name)': "
            + (closest(to: name, among: known).map { "did you mean \($0)?" }
              ?? "it has \(known.joined(separator: ", "))"))
      }
    }
    return text
  }

  /// The zones in one line.
  private var zonesLine: String? {
    zones?.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
  }

  /// The preset of the SoundFont that the parameters select.
  private var preset: Preset? {
    guard let bank = parameters.index(of: "preset.bank"),
      let program = parameters.index(of: "preset.program")
    else { return nil }
    let number = PresetNumber(bank: Int(values[bank]), program: Int(values[program]))
    return presets.first { $0.number == number }
  }

  // MARK: Output

  var json: OutputText {
    JSONOutput.port.line(
      Entry(
        port: port, latency: latency, onset: onset,
        parameters: zip(parameters.parameters, values).map(Entry.Value.init),
        groups: parameters.groups, preset: preset?.name, presets: presets, files: files,
        zones: zones))
  }

  private struct Entry: Encodable {
    let port: PortDescription
    let latency: Int
    let onset: String?
    let parameters: [Value]
    let groups: [ParameterTree.Group]
    let preset: String?
    let presets: [Preset]
    let files: [UnitFile]
    let zones: String?

    /// A parameter, with its current value as an additional field.
    struct Value: Encodable {
      let parameter: Parameter
      let value: Float

      private enum Key: CodingKey { case value }

      func encode(to encoder: any Encoder) throws {
        try parameter.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(value, forKey: .value)
      }
    }
  }

  /// Tables of the parameters and the presets, usually within 100 columns.
  var text: OutputText {
    var text: OutputText = "\(port.name): \(port.component)\n"
    if latency > 0 { text.append("latency: \(latency) frames\n") }
    if let onset { text.append("onset: \(onset)\n") }
    for file in files {
      text.append("\(file.identifier): \(file.file.path.isEmpty ? "no file" : file.file.path)\n")
    }
    if let preset { text.append("preset: \(preset.label)\n") }
    if let zonesLine { text.append("zones: \(zonesLine)\n") }
    if !values.isEmpty {
      text.append("\n\(Columns.table(["PARAMETER", "RANGE", "NOW", "NAME"], parameterRows))")
    }
    if !presets.isEmpty { text.append("\n\(PresetList.text(presets))") }
    return text
  }

  private var parameterRows: [[String]] {
    zip(parameters.parameters, values).map { parameter, value in
      [
        parameter.identifier, Self.range(parameter),
        ParameterText(parameter: parameter).text(value),
        parameter.name,
      ]
    }
  }

  private static func range(_ parameter: Parameter) -> String {
    if !parameter.valueNames.isEmpty, parameter.valueNames.count <= 4 {
      return parameter.valueNames.joined(separator: ", ")
    }
    let ends = "\(parameter.minimum.shortestText)…\(parameter.maximum.shortestText)"
    return parameter.unit.symbol.isEmpty ? ends : "\(ends) \(parameter.unit.symbol)"
  }
}
