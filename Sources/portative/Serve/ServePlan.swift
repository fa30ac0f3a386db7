import ALSABridge
import Components
import Configuration
import FluidSynthInstrument
import LocalSystem
import RenderCore

/// The ports that a server is to publish, by its configuration: checked as far as that can be done
/// without loading a SoundFont.
struct ServePlan {
  struct Port: Equatable {
    let description: PortDescription
    let unit: UnitPlan
    /// What its parameters are to begin with.
    let parameters: [String: Float]

    var type: PortType { description.component.type }
  }

  let ports: [Port]
  /// The SoundFont of ports that name none, if there are any.
  let soundFont: FoundSoundFont?
  /// Which keyboards play which port.
  let wiring: WiringRules

  /// Reads the configuration.
  ///
  /// - Throws: When a file is of no use, or a value will not do.
  init(_ options: ServeOptions) throws(Failure) {
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try Configuration(.current, file: options.configuration)
    } catch {
      throw Failure(.failed, error.description)
    }
    let settings = try Self.settings(configuration)
    soundFont =
      try Self.needsSoundFont(settings) ? try Self.findSoundFont(options) : nil
    var ports: [Port] = []
    for (index, settings) in settings.enumerated() {
      do throws(Failure) {
        let port = try Port(settings, soundFont: settings.soundfont ?? soundFont?.path ?? "")
        try port.check(after: ports)
        ports.append(port)
      } catch {
        throw Failure(error.code, "ports[\(index)] of the configuration: \(error.message)")
      }
    }
    self.ports = ports
    wiring = WiringRules(
      configuration.midi,
      ports: zip(settings, ports).filter { $1.type.takesMIDI }.map { $0.0 })
  }

  private static func needsSoundFont(_ ports: [PortSettings]) throws(Failure) -> Bool {
    for port in ports where port.soundfont == nil {
      // What is wrong with it is said when its turn has come.
      if (try? UnitPlan.kind(port))?.usesSoundFont ?? false { return true }
    }
    return false
  }

  private static func settings(
    _ configuration: Configuration
  ) throws(Failure) -> [PortSettings] {
    let ports = configuration.ports ?? PortSettings.all
    if ports.isEmpty {
      throw Failure(
        .failed, "'ports' of the configuration is empty: list one, or leave 'ports' out")
    }
    return ports
  }

  private static func findSoundFont(_ options: ServeOptions) throws(Failure) -> FoundSoundFont {
    do throws(SoundFontError) {
      return try SoundFontSearch(configuration: options.configuration).find(
        option: options.soundFont)
    } catch {
      throw Failure(error)
    }
  }
}

extension PortSettings {
  /// What a server publishes that was told nothing: each unit that there is. The first is what keyboards play.
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
  fileprivate init(_ settings: PortSettings, soundFont: String) throws(Failure) {
    let type = try UnitPlan.type(settings)
    do {
      description = try PortDescription(
        component: ComponentDescription(
          type: type, subtype: FourCharacterCode(settings.subtype),
          manufacturer: FourCharacterCode(settings.manufacturer ?? "Ptvo")),
        name: settings.name, version: SemanticVersion(Command.version), icon: settings.icon,
        tags: settings.tags ?? [])
    } catch {
      throw Failure(.failed, "\(error)")
    }
    unit = try UnitPlan(settings, type, soundFont: soundFont)
    parameters = (settings.parameters ?? [:]).mapValues { Float($0) }
  }

  /// Programs tell ports apart by their component, people by their name.
  fileprivate func check(after others: [Self]) throws(Failure) {
    for other in others {
      if other.description.component == description.component {
        throw Failure(
          .failed,
          "'\(description.component)' is that of '\(other.description.name)' too: "
            + "give one of them another subtype")
      }
      if other.description.name == description.name {
        throw Failure(
          .failed, "'\(description.name)' is the name of another port too: rename one of them")
      }
    }
  }

  /// Loads its SoundFont, unless it is loaded already, and looks whether it can be played.
  func load() throws(Failure) -> LoadedUnit {
    var loaded: LoadedUnit
    do throws(InstrumentError) {
      loaded = try unit.load()
    } catch {
      let failure = Failure(error)
      throw Failure(failure.code, "\(description.name) cannot be played: \(failure.message)")
    }
    if parameters.isEmpty { return loaded }
    loaded.source = PresetSource(source: loaded.source, parameters: parameters)
    try check(loaded.source)
    return loaded
  }

  /// A parameter that there is not is found now, and not by a host. (A chain's nodes may not run yet.)
  private func check(_ source: any RenderUnitSource) throws(Failure) {
    if case .chain = unit { return }
    do {
      _ = try source.makeUnit(Format(inputChannels: type.takesAudio ? 2 : 0))
    } catch {
      throw Failure(.failed, "\(description.name) cannot be played: \(error)")
    }
  }
}
