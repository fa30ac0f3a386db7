import ALSAMIDI
import BatchRenderer
import Configuration
import FluidSynthEngine
import LocalSystem
import NodeDirectory
import RenderCore

/// The ports that a server publishes according to its configuration, checked as far as possible without loading a
/// SoundFont.
struct ServePlan {
  struct Port: Equatable {
    let description: PortDescription
    let unit: UnitPlan
    /// The initial values of the unit's parameters.
    let parameters: [String: Float]

    var type: PortType { description.component.type }
  }

  let ports: [Port]
  /// The SoundFont of ports that name none; `nil` if there is no such port that needs one.
  let soundFont: FoundSoundFont?
  /// The rules for connecting keyboards to ports.
  let wiring: WiringRules
  /// The files that were read.
  var files: [String] { configuration.files }
  private let configuration: Configuration

  /// The names of the ports that each chain plays.
  var chains: [ComponentDescription: [String]] {
    var chains: [ComponentDescription: [String]] = [:]
    for port in ports {
      if case .chain(let names) = port.unit { chains[port.description.component] = names }
    }
    return chains
  }

  /// The greatest number of ports of a server: the number of peer nodes that a host can name, and about half of the
  /// ports
  /// that a client of the ALSA sequencer can have.
  static let maximumPorts = 128

  /// Reads the configuration.
  ///
  /// - Parameters:
  ///   - warn: Called with sentences about anything suspicious, each with its location.
  ///   - complain: Called with the message of each error in a port except the last, which is thrown.
  /// - Throws: ``Failure`` if a file or a value cannot be used.
  init(
    _ options: ServeOptions, in environment: ProcessEnvironment = .current, warn: (String) -> Void,
    complain: (String) -> Void
  ) throws(Failure) {
    do throws(ConfigurationError) {
      configuration = try Configuration(environment, file: options.configuration)
    } catch {
      for field in error.unknownFields { warn(field.warning) }
      throw Failure(error)
    }
    let settings = configuration.ports ?? PortSettings.all
    for field in configuration.unknownFields { warn(field.warning) }
    for warning in Self.idleFields(settings, configuration) { warn(warning) }
    try Self.checkCount(settings, configuration)
    soundFont = Self.needsSoundFont(settings) ? try Self.findSoundFont(options, environment) : nil
    ports = try Self.ports(settings, soundFont?.path ?? "", configuration, complain)
    let chains = ChainGraph(ports, of: options.node, in: environment)
    for (index, port) in ports.enumerated() {
      guard let cycle = chains.cycle(through: port) else { continue }
      throw Self.failure(SettingError("nodes", cycle), inPort: index, configuration)
    }
    wiring = WiringRules(
      configuration.midi,
      ports: zip(settings, ports).filter { $1.type.takesMIDI }.map { $0.0 })
  }

  private static func checkCount(
    _ settings: [PortSettings], _ configuration: Configuration
  ) throws(Failure) {
    if settings.isEmpty {
      throw Failure(
        configuration.errorInPorts(reason: "'ports' is empty: list one, or leave 'ports' out"))
    }
    if settings.count > maximumPorts {
      throw Failure(
        configuration.errorInPorts(
          reason: "'ports' has \(settings.count) ports, of which a server takes \(maximumPorts) at "
            + "most: divide them among several servers, each with its --name"))
    }
  }

  private static func ports(
    _ settings: [PortSettings], _ soundFont: String, _ configuration: Configuration,
    _ complain: (String) -> Void
  ) throws(Failure) -> [Port] {
    var ports: [Port] = []
    var failures: [Failure] = []
    for (index, settings) in settings.enumerated() {
      do throws(SettingError) {
        let port = try Port(settings, soundFont: settings.soundfont ?? soundFont)
        try port.check(after: ports)
        ports.append(port)
      } catch {
        failures.append(failure(error, inPort: index, configuration))
      }
    }
    for failure in failures.dropLast() { complain(failure.message) }
    if let last = failures.last { throw last }
    return ports
  }

  private static func failure(
    _ error: SettingError, inPort index: Int, _ configuration: Configuration
  ) -> Failure {
    let path = "'ports[\(index)]\(error.field.map { ".\($0)" } ?? "")'"
    let separator = error.predicate.first?.isLetter == true && error.field != nil ? " " : ": "
    return Failure(
      configuration.error(
        inPort: index, field: error.field, reason: path + separator + error.predicate))
  }

  /// Loads the unit of a port, and checks that it can be played.
  func load(_ index: Int) throws(Failure) -> LoadedUnit {
    do {
      return try ports[index].load()
    } catch let error as SettingError {
      throw Self.failure(error, inPort: index, configuration)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(.failed, "\(ports[index].description.name) cannot be played: \(error)")
    }
  }

  private static func needsSoundFont(_ ports: [PortSettings]) -> Bool {
    ports.contains { port in
      // An error in the port is reported later.
      port.soundfont == nil && (try? UnitPlan.kind(port))?.usesSoundFont ?? false
    }
  }

  private static func findSoundFont(
    _ options: ServeOptions, _ environment: ProcessEnvironment
  ) throws(Failure) -> FoundSoundFont {
    do throws(SoundFontError) {
      return try SoundFontSearch(environment, configuration: options.configuration).find(
        option: options.soundFont)
    } catch {
      throw Failure(error)
    }
  }
}

extension PortSettings {
  /// The ports of a server without a configuration: every unit except a chain. Keyboards play the first.
  fileprivate static var all: [PortSettings] {
    var playedDelay = PortSettings(name: "Portative: Played Delay", subtype: "dely", unit: "delay")
    playedDelay.type = PortType.musicEffect.rawValue
    return [
      PortSettings(name: "Portative: General MIDI", subtype: "gmsy", tags: ["General MIDI"]),
      PortSettings(name: "Portative: Layer", subtype: "layr", unit: "layer"),
      PortSettings(name: "Portative: Resonator", subtype: "reso", unit: "resonator"),
      PortSettings(name: "Portative: Delay", subtype: "dely", unit: "delay"), playedDelay,
      PortSettings(name: "Portative: Metronome", subtype: "metr", unit: "metronome"),
    ]
  }
}

extension ServePlan.Port {
  fileprivate init(_ settings: PortSettings, soundFont: String) throws(SettingError) {
    let type = try UnitPlan.type(settings)
    let component = ComponentDescription(
      type: type, subtype: try Self.code(settings.subtype, "subtype"),
      manufacturer: try Self.code(settings.manufacturer ?? "Ptvo", "manufacturer"))
    do throws(DescriptionError) {
      description = try PortDescription(
        component: component, name: settings.name, version: SemanticVersion(portativeVersion),
        icon: settings.icon, tags: settings.tags ?? [])
    } catch {
      throw SettingError(error)
    }
    unit = try UnitPlan(settings, type, soundFont: soundFont)
    parameters = (settings.parameters ?? [:]).mapValues { Float($0) }
  }

  private static func code(
    _ text: String, _ field: String
  ) throws(SettingError) -> FourCharacterCode {
    do throws(FourCharacterCodeError) {
      return try FourCharacterCode(text)
    } catch {
      throw SettingError(field, "must be a code: \(error)")
    }
  }

  /// Checks that the component and the name are unique. Programs identify ports by component, users by name.
  fileprivate func check(after others: [Self]) throws(SettingError) {
    for other in others {
      if other.description.component == description.component {
        throw SettingError(
          "subtype",
          "makes it '\(description.component)', which '\(other.description.name)' is too: "
            + "give one of them another subtype")
      }
      if other.description.name == description.name {
        throw SettingError(
          "name", "is '\(description.name)', like that of another port: rename one of them")
      }
    }
  }

  /// Loads the SoundFont, unless it is already loaded, and checks that the unit can be played.
  fileprivate func load() throws -> LoadedUnit {
    var loaded: LoadedUnit
    do throws(InstrumentError) {
      loaded = try unit.load()
    } catch {
      if let error = SettingError(error) { throw error }
      let failure = Failure(error)
      throw Failure(failure.kind, "\(description.name) cannot be played: \(failure.message)")
    }
    if parameters.isEmpty { return loaded }
    loaded.source = PresetSource(source: loaded.source, parameters: parameters)
    try check(loaded.source)
    return loaded
  }

  /// Reports unknown parameters now instead of when a host uses the port. Chains are not checked, because their nodes
  /// may
  /// not be running.
  private func check(_ source: any RenderUnitSource) throws {
    if case .chain = unit { return }
    do {
      _ = try source.makeUnit(Format(inputChannels: type.takesAudio ? 2 : 0))
    } catch let error as ParameterError {
      throw SettingError(error)
    }
  }
}
