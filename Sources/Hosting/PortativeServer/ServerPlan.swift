import ALSA
package import Configuration
import FluidSynthEngine
package import LocalSystem
import NodeProtocol
import RenderCore

/// The ports that a server publishes according to its configuration, checked as far as possible without loading a
/// SoundFont.
package struct ServerPlan {
  package let ports: [PortPlan]
  /// The SoundFont of ports that name none; `nil` if there is no such port that needs one.
  package let soundFont: FoundSoundFont?
  /// The rules for connecting keyboards to ports.
  let wiring: WiringRules
  /// The seconds for which what keyboards play is kept; 0 to keep nothing.
  let takeLimit: Double
  let controls: [Control]
  /// The MIDI outputs to modules.
  var outputs: [OutputSettings] { configuration.outputs }
  private let settings: ServerSettings
  private let environment: ProcessEnvironment
  private let configuration: Configuration

  /// The files that were read.
  package var files: [String] { configuration.files }

  /// The greatest number of ports of a server: the number of peer nodes that a host can name, and about half of the
  /// ports that a client of the ALSA sequencer can have.
  private static let maximumPorts = 128

  /// Reads the configuration.
  ///
  /// - Parameter observer: Receives warnings about anything suspicious, and the error of each invalid port except the
  ///   last, which is thrown.
  /// - Throws: If a file or a value cannot be used: ``ConfigurationError``, ``SoundFontError``.
  package init(
    _ settings: ServerSettings, in environment: ProcessEnvironment = .current,
    observer: any ServerObserver
  ) throws {
    self.settings = settings
    self.environment = environment
    do {
      configuration = try Configuration(environment, file: settings.configuration)
    } catch {
      for field in error.unknownFields { observer.log(warning: field.warning) }
      throw error
    }
    let portSettings = configuration.ports ?? .builtIn
    for field in configuration.unknownFields { observer.log(warning: field.warning) }
    for warning in configuration.unusedFields(of: portSettings) { observer.log(warning: warning) }
    try Self.checkCount(portSettings, configuration)
    takeLimit = try configuration.takeSeconds()
    try Self.check(configuration.outputs, configuration)
    soundFont =
      try portSettings.contains(where: \.needsDefaultSoundFont)
      ? SoundFontSearch(environment, configuration: settings.configuration)
        .find(option: settings.soundFont) : nil
    ports = try Self.ports(portSettings, soundFont?.path ?? "", configuration, observer)
    let chains = ChainGraph(ports, of: settings.node, in: environment)
    for (index, port) in ports.enumerated() {
      guard let cycle = chains.cycle(through: port) else { continue }
      throw configuration.error(SettingError("nodes", cycle), inPort: index)
    }
    controls = try Self.controls(
      configuration, ports: ports.filter(\.type.takesMIDI).map(\.description.name))
    wiring = WiringRules(
      configuration.midi,
      ports: zip(portSettings, ports).filter { $1.type.takesMIDI }.map { $0.0 })
  }

  private static func checkCount(_ ports: [PortSettings], _ configuration: Configuration) throws {
    if ports.isEmpty {
      throw configuration.errorInPorts(
        reason: "'ports' is empty: add a port, or remove 'ports' to publish the built-in ports")
    }
    if ports.count > maximumPorts {
      throw configuration.errorInPorts(
        reason: "'ports' has \(ports.count) ports, but a server can publish at most "
          + "\(maximumPorts): divide them among several servers, each with its own --name")
    }
  }

  private static func check(
    _ outputs: [OutputSettings], _ configuration: Configuration
  ) throws(ConfigurationError) {
    let maximum = OutputSettings.maximumCount
    if outputs.count > maximum {
      throw configuration.error(
        inOutput: maximum,
        reason:
          "there are \(outputs.count) outputs, but a server can have at most \(maximum): remove some"
      )
    }
    for (index, output) in outputs.enumerated()
    where outputs[..<index].contains(where: { $0.name == output.name }) {
      throw configuration.error(
        inOutput: index, reason: "there are two outputs '\(output.name)': rename one of them")
    }
  }

  private static func ports(
    _ settings: [PortSettings], _ soundFont: String, _ configuration: Configuration,
    _ observer: any ServerObserver
  ) throws -> [PortPlan] {
    var ports: [PortPlan] = []
    var errors: [ConfigurationError] = []
    for (index, settings) in settings.enumerated() {
      do {
        let port = try PortPlan(settings, soundFont: soundFont)
        try port.check(after: ports)
        ports.append(port)
      } catch {
        let error = SettingError(error) ?? SettingError(nil, "\(error)")
        errors.append(configuration.error(error, inPort: index))
      }
    }
    for error in errors.dropLast() { observer.log(error: error.description) }
    if let last = errors.last { throw last }
    return ports
  }

  private static func controls(
    _ configuration: Configuration, ports: [String]
  ) throws -> [Control] {
    try configuration.controls.enumerated().map { index, settings in
      do throws(SettingError) {
        return try Control(settings, ports: ports)
      } catch {
        throw configuration.error(error, inControl: index)
      }
    }
  }

  /// Loads the units of all ports, and checks that they and their controls can be played.
  package func load() throws -> [LoadedPort] {
    let loaded = try loadPorts()
    try checkControls(of: loaded)
    return loaded
  }

  /// Checks that the controlled parameters exist. Those of a chain are not known, because its nodes may not be running.
  private func checkControls(of ports: [LoadedPort]) throws {
    var trees: [String: ParameterTree] = [:]
    for (index, control) in controls.enumerated() {
      guard case .parameter(let controlled) = control.effect,
        let port = ports.first(where: { $0.plan.description.name == control.port }),
        port.plan.unit != .chain
      else { continue }
      let name = port.plan.description.name
      let tree = try trees[name] ?? port.parameters()
      trees[name] = tree
      do throws(ParameterError) {
        try tree.check(controlled)
      } catch {
        throw configuration.error(SettingError(error, of: controlled), inControl: index)
      }
    }
  }

  private func loadPorts() throws -> [LoadedPort] {
    let search = SoundFontSearch(environment, configuration: settings.configuration)
    return try ports.enumerated().map { index, port in
      do {
        return try LoadedPort(port, search)
      } catch {
        if let error = SettingError(error) { throw configuration.error(error, inPort: index) }
        let failure = Failure(error)
        throw Failure(
          failure.kind, "\(port.description.name) cannot be played: \(failure.message)")
      }
    }
  }

  /// Loads all ports, zones and scenes, to check that they can be played.
  ///
  /// - Throws: The first error; for scenes, after each has been reported.
  package func check(_ observer: any ServerObserver) throws {
    let scenes = try loadScenes(load(), observer).scenes.scenes
    let count = scenes.count { $0.problem != nil }
    if count > 0 {
      throw Failure(
        .inputUnusable, "\(count) of \(scenes.count) scenes cannot be played, for the reasons above"
      )
    }
  }

  /// Loads the zones of the ports and the scenes.
  ///
  /// - Parameter ports: All ports.
  func loadScenes(
    _ ports: [LoadedPort], _ observer: any ServerObserver
  ) throws -> (scenes: LoadedScenes, zones: [String: [LoadedZone]]) {
    var zones: [String: [LoadedZone]] = [:]
    for (index, settings) in (configuration.ports ?? []).enumerated() {
      guard let own = settings.zones else { continue }
      do {
        zones[settings.name] = try ZoneLoader(
          port: ports[index], outputs: configuration.outputs.map(\.name)
        ).load(own)
      } catch {
        let setting =
          SettingError(error)
          ?? SettingError("zones", "cannot be played: \(Failure(error).message)")
        throw configuration.error(setting, inPort: index)
      }
    }
    return (try LoadedScenes(configuration, ports, observer), zones)
  }

  /// Checks the ports against the manifest by which hosts know the node.
  package func checkManifest() throws {
    do {
      try NodeManifest.find(settings.node, in: NodeDirectories(environment))?
        .check(published: ports.map(\.description))
    } catch let error as PublishError {
      throw Failure(
        .failed, "\(error); or write the manifest again with '\(settings.installCommand)'")
    }
  }
}
