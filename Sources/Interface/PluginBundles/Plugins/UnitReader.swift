package import NodeHost
package import NodeProtocol
import RenderCore

/// Reads what a plugin must know about the unit of a port: the numbers of channels, the parameters and the presets.
///
/// It acquires the port for a moment, because only then the node makes a unit for a format.
///
/// Realtime: no. Threads: any.
package struct UnitReader: Sendable {
  private let readsSoundFonts: Bool
  private let connect: @Sendable (Component) throws -> Connection

  /// - Parameters:
  ///   - readsSoundFonts: Whether presets of SoundFonts are read, and the names of their programs.
  ///   - connect: Acquires a port, and starts its node if it does not run.
  package init(
    readsSoundFonts: Bool = true, connect: @escaping @Sendable (Component) throws -> Connection
  ) {
    self.readsSoundFonts = readsSoundFonts
    self.connect = connect
  }

  /// Returns the plugin of a port.
  ///
  /// The parameters have the values of a new unit as defaults, which the configuration of the node may have set: a host
  /// sets all parameters to their defaults.
  ///
  /// - Throws: An error of `connect`, or ``ConnectionError``: `refused` if other hosts have the port, or if the unit
  ///   cannot be made.
  package func read(_ component: Component) throws -> BundledPlugin {
    let connection = try connect(component)
    defer { connection.close() }
    let port = connection.port
    let format = try initialize(connection)
    let values = try connection.parameterValues()
    let presets = try connection.presets().filter {
      readsSoundFonts || $0.soundFontNumbers == nil
    }
    let parameters = zip(connection.parameters.parameters, values).map { parameter, value in
      parameter.with(
        default: value,
        valueNames: parameter.identifier == "preset.program" ? Self.programNames(presets) : nil)
    }
    return BundledPlugin(
      PluginDescription(
        uri: PluginURI.plugin(for: port.component), type: port.component.type, port: port,
        inputChannels: format.inputChannels, outputChannels: format.outputChannels,
        parameters: ParameterTree(parameters, groups: connection.parameters.groups),
        files: try connection.files().map { PluginFile(identifier: $0.identifier, name: $0.name) }),
      presets: presets)
  }

  /// Returns the names of the programs of bank 0, with their numbers, so that they differ; `nil` if there are none. Other
  /// banks have variations of the same instruments.
  private static func programNames(_ presets: [Preset]) -> [String]? {
    let names = presets.compactMap { preset in
      preset.soundFontNumbers.flatMap { $0.bank == 0 ? ($0.program, preset.name) : nil }
    }
    if names.isEmpty { return nil }
    let known = Dictionary(names) { first, _ in first }
    return (0..<128).map { program in "\(program)" + (known[program].map { " \($0)" } ?? "") }
  }

  /// Initializes the connection for stereo if possible, otherwise for channels that the unit supports.
  ///
  /// - Returns: The format.
  private func initialize(_ connection: Connection) throws(ConnectionError) -> Format {
    let takesAudio = connection.port.component.type.takesAudio
    // Nodes that do not name the range of channels in their refusal may be mono.
    var formats = takesAudio ? [(2, 2), (1, 2), (1, 1)] : [(0, 2), (0, 1)]
    var last: ConnectionError?
    // A range can narrow each field once or twice.
    for _ in 0..<8 where !formats.isEmpty {
      let (inputs, outputs) = formats.removeFirst()
      let format = Format(inputChannels: inputs, outputChannels: outputs)
      do throws(ConnectionError) {
        // Offline, so that the node does not park the port, which this process does not render.
        try connection.initialize(format, mode: .offline)
        return format
      } catch {
        guard case .refused(let refusal) = error, refusal.code == .unsupportedFormat else {
          throw error
        }
        last = error
        if let nearest = refusal.allowedChannels(nearest: format) {
          formats.insert((nearest.inputChannels, nearest.outputChannels), at: 0)
        }
      }
    }
    throw last ?? .connectionLost(.closed)
  }
}

extension Parameter {
  /// Returns the same parameter with another default value and names of its values; `nil` for its own.
  fileprivate func with(default value: Float, valueNames: [String]?) -> Parameter {
    guard minimum <= maximum else { return self }
    return Parameter(
      checked: identifier, name, minimum...maximum, default: value, unit: unit, scale: scale,
      valueNames: valueNames ?? self.valueNames) ?? self
  }
}
