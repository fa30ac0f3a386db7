import ALSA
package import Configuration
import FluidSynthEngine
package import LocalSystem
package import NodeProtocol
import RenderCore

/// The ports that a server publishes according to its configuration, checked as far as possible without loading a
/// SoundFont.
package struct ServerPlan {
  package let ports: [PortPlan]
  /// The names of the ports in the configuration, also of those that are broken and left out.
  var names: Set<String> { Set(portNames) }
  /// The same, in the order of the configuration.
  private let portNames: [String]
  /// The SoundFont of ports that name none; `nil` if there is no such port that needs one.
  package let soundFont: FoundSoundFont?
  /// The SoundFonts of the ports that play one, as paths.
  package var soundFonts: [ComponentDescription: String] {
    Dictionary(
      ports.compactMap { port in
        port.instrument.map { (port.description.component, $0.soundFont) }
      }
    ) { first, _ in first }
  }
  /// The rules for connecting keyboards to ports.
  let wiring: WiringRules
  /// The seconds for which what keyboards play is kept; 0 to keep nothing.
  let takeLimit: Double
  let controls: [Control]
  /// The names that the user has given to keyboards.
  var keyboardNames: KeyboardNames { KeyboardNames(configuration.midi) }
  /// The MIDI outputs to modules.
  var outputs: [OutputSettings] { configuration.outputs }
  private let skipsBrokenPorts: Bool
  private let observer: any ServerObserver
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
  /// - Parameters:
  ///   - skipsBrokenPorts: Whether a port that cannot be published is left out, so that it does not stop the others.
  ///   - observer: Receives warnings about anything suspicious, and the error of each invalid port except one that is thrown.
  /// - Throws: If a file or a value cannot be used, or no port can: ``ConfigurationError``, ``SoundFontError``.
  package init(
    _ settings: ServerSettings, in environment: ProcessEnvironment = .current,
    skipsBrokenPorts: Bool = false, observer: any ServerObserver
  ) throws {
    self.skipsBrokenPorts = skipsBrokenPorts
    self.observer = observer
    self.settings = settings
    self.environment = environment
    do {
      var configuration = try Configuration(environment, file: settings.configuration)
      if !settings.plugins.isEmpty { configuration.removePorts() }
      self.configuration = configuration
    } catch {
      for field in error.unknownFields { observer.log(warning: field.warning) }
      throw error
    }
    let given =
      settings.plugins.isEmpty
      ? configuration.ports ?? .builtIn : settings.plugins.map { PortSettings(lv2: $0) }
    let portSettings = given.map(\.completed)
    portNames = portSettings.map(\.name)
    for field in configuration.unknownFields { observer.log(warning: field.warning) }
    for warning in configuration.unusedFields(of: portSettings) { observer.log(warning: warning) }
    try Self.checkCount(portSettings, configuration)
    takeLimit = try configuration.takeSeconds()
    try Self.check(configuration.outputs, configuration)
    soundFont =
      try portSettings.contains(where: \.needsDefaultSoundFont)
      ? SoundFontSearch(environment, configuration: settings.configuration)
        .find(option: settings.soundFont) : nil
    let planned = Self.ports(portSettings, soundFont?.path ?? "", settings.node, environment)
    let errors = planned.enumerated().compactMap { [configuration] index, port in
      port.error.map { configuration.error($0, inPort: index) }
    }
    ports = planned.compactMap(\.plan)
    if let last = errors.last, !skipsBrokenPorts || ports.isEmpty {
      for error in errors.dropLast() { observer.log(error: error.description) }
      throw last
    }
    for error in errors { observer.log(error: error.description) }
    controls = try Self.controls(
      configuration, ports: ports.filter(\.type.takesMIDI).map(\.description.name),
      broken: Set(portNames).subtracting(ports.map(\.description.name)))
    wiring = WiringRules(
      configuration.midi,
      ports: zip(portSettings, planned).filter { $1.plan?.type.takesMIDI ?? false }.map(\.0))
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

  /// A port of the configuration, or why it cannot be published.
  private struct PlannedPort {
    var plan: PortPlan?
    var error: SettingError?
  }

  private static func ports(
    _ settings: [PortSettings], _ soundFont: String, _ node: String,
    _ environment: ProcessEnvironment
  ) -> [PlannedPort] {
    var planned: [PlannedPort] = []
    for settings in settings {
      do {
        let port = try PortPlan(settings, soundFont: soundFont)
        try port.check(after: planned.compactMap(\.plan))
        planned.append(PlannedPort(plan: port))
      } catch {
        planned.append(PlannedPort(error: SettingError(error) ?? SettingError(nil, "\(error)")))
      }
    }
    func chains() -> ChainGraph {
      ChainGraph(planned.compactMap(\.plan), of: node, in: environment)
    }
    var graph = chains()
    for index in planned.indices {
      guard let port = planned[index].plan, let cycle = graph.cycle(through: port) else {
        continue
      }
      planned[index] = PlannedPort(error: SettingError("nodes", cycle))
      graph = chains()
    }
    return planned
  }

  private static func controls(
    _ configuration: Configuration, ports: [String], broken: Set<String>
  ) throws -> [Control] {
    try configuration.controls.enumerated().compactMap { index, settings in
      do throws(SettingError) {
        let control = try Control(settings, ports: ports + broken)
        return control.port.map(broken.contains) ?? false ? nil : control
      } catch {
        throw configuration.error(error, inControl: index)
      }
    }
  }

  /// Loads the units of the ports, and checks that they and their controls can be played. A port that is broken is
  /// reported and left out, or thrown: see ``init(_:in:skipsBrokenPorts:observer:)``.
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
        port.plan.unit != .chain, port.plan.unit != .lv2
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
    var loaded: [LoadedPort] = []
    var errors: [any Error] = []
    for port in ports {
      do {
        loaded.append(try LoadedPort(port, search, observer))
      } catch {
        let reason = self.error(error, inPort: port.description.name)
        // Without its SoundFont, a server is of no use.
        let isStandard = port.instrument?.soundFont == soundFont?.path
        let isUnusable = Failure(error).kind == .soundFontUnusable && isStandard
        if !skipsBrokenPorts || isUnusable { throw reason }
        errors.append(reason)
      }
    }
    if let last = errors.last, loaded.isEmpty { throw last }
    for error in errors { observer.log(error: Failure(error).message) }
    return loaded
  }

  /// Returns the error of a port that cannot be loaded, with its place in the configuration if a setting causes it.
  private func error(_ error: any Error, inPort name: String) -> any Error {
    let index = portNames.firstIndex(of: name)
    if let index, let error = SettingError(error) {
      return configuration.error(error, inPort: index)
    }
    let failure = Failure(error)
    return Failure(failure.kind, "\(name) cannot be played: \(failure.message)")
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
      let name = portNames[index]
      guard let own = settings.zones,
        let port = ports.first(where: { $0.plan.description.name == name })
      else { continue }
      do {
        zones[name] = try ZoneLoader(
          port: port, outputs: configuration.outputs.map(\.name)
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
      // Hosts learn that a broken port is missing when they want it.
      if ports.count < names.count { return }
      try NodeManifest.find(settings.node, in: NodeDirectories(environment))?
        .check(published: ports.map(\.description))
    } catch let error as PublishError {
      throw Failure(
        .failed, "\(error); or write the manifest again with '\(settings.installCommand)'")
    }
  }
}
