import ALSABridge
import Components
import Configuration
import FluidSynthInstrument
import LocalSystem

/// The ports that a server is to publish, by its configuration: checked as far as that can be done
/// without loading a SoundFont.
struct ServePlan {
  struct Port: Equatable {
    let description: PortDescription
    let settings: InstrumentSettings
    let soundFont: String
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
    wiring = WiringRules(configuration.midi, ports: settings)
    soundFont =
      settings.contains { $0.soundfont == nil } ? try Self.findSoundFont(options) : nil
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
  }

  private static func settings(
    _ configuration: Configuration
  ) throws(Failure) -> [PortSettings] {
    let ports = configuration.ports ?? [.generalMIDI]
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
  /// What a server publishes that was told nothing.
  fileprivate static var generalMIDI: PortSettings {
    PortSettings(name: "Portative: General MIDI", subtype: "gmsy", tags: ["General MIDI"])
  }
}

extension ServePlan.Port {
  fileprivate init(_ settings: PortSettings, soundFont: String) throws(Failure) {
    do {
      description = try PortDescription(
        component: ComponentDescription(
          type: .instrument, subtype: FourCharacterCode(settings.subtype),
          manufacturer: FourCharacterCode(settings.manufacturer ?? "Ptvo")),
        name: settings.name, version: SemanticVersion(Command.version), icon: settings.icon,
        tags: settings.tags ?? [])
    } catch {
      throw Failure(.failed, "\(error)")
    }
    self.settings = try InstrumentSettings(settings)
    self.soundFont = soundFont
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

  /// Loads the SoundFont, unless it is loaded already.
  func load() throws(Failure) -> InstrumentSource {
    do throws(InstrumentError) {
      let source = InstrumentSource(soundFont: try SoundFont.open(soundFont), settings: settings)
      try source.check()
      return source
    } catch {
      let failure = Failure(error)
      throw Failure(failure.code, "\(description.name) cannot be played: \(failure.message)")
    }
  }
}
