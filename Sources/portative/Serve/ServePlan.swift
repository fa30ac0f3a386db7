import Components
import Configuration
import FluidSynthInstrument
import Glibc
import LocalSystem

/// The ports that a server is to publish, by its configuration.
struct ServePlan {
  struct Port {
    let description: PortDescription
    let source: InstrumentSource
  }

  let ports: [Port]
  /// The SoundFont of ports that name none, if there are any.
  let soundFont: FoundSoundFont?

  /// Reads the configuration, and loads the SoundFonts.
  ///
  /// - Throws: When a file is of no use, or a value will not do.
  init(_ options: ServeOptions) throws(Failure) {
    let settings = try Self.ports(options)
    var found: FoundSoundFont?
    var ports: [Port] = []
    for (index, port) in settings.enumerated() {
      let path: String
      if let named = port.soundfont {
        path = named
      } else {
        let font: FoundSoundFont
        if let found { font = found } else { font = try Self.findSoundFont(options) }
        found = font
        path = font.path
      }
      do throws(Failure) {
        ports.append(try Port(port, soundFont: path))
      } catch {
        throw Failure(error.code, "ports[\(index)] of the configuration: \(error.message)")
      }
    }
    self.ports = ports
    soundFont = found
  }

  private static func ports(_ options: ServeOptions) throws(Failure) -> [PortSettings] {
    do throws(ConfigurationError) {
      return try Configuration(.current, file: options.configuration).ports ?? [.generalMIDI]
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  private static func findSoundFont(_ options: ServeOptions) throws(Failure) -> FoundSoundFont {
    do throws(SoundFontError) {
      return try SoundFontSearch().find(option: options.soundFont)
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
  fileprivate init(_ settings: PortSettings, soundFont path: String) throws(Failure) {
    do {
      description = try PortDescription(
        component: ComponentDescription(
          type: .instrument, subtype: FourCharacterCode(settings.subtype),
          manufacturer: FourCharacterCode(settings.manufacturer ?? "Ptvo")),
        name: settings.name, version: SemanticVersion(Command.version), icon: settings.icon,
        tags: settings.tags ?? [])
      let font = try SoundFont.open(path)
      source = InstrumentSource(soundFont: font, settings: try InstrumentSettings(settings))
      try source.check()
    } catch let error as InstrumentError {
      throw Failure(error)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(.failed, "\(error)")
    }
  }

  /// Whether both publish the same, so that one need not make way for the other.
  func isSame(as other: Self) -> Bool {
    description == other.description && source.soundFont === other.source.soundFont
      && source.settings == other.source.settings
  }
}

extension InstrumentSettings {
  fileprivate init(_ settings: PortSettings) throws(Failure) {
    self.init()
    if let gain = settings.gain {
      guard (-60...RenderOptions.maximumGain).contains(gain) else {
        throw Failure(
          .failed, "gain must be -60 to \(RenderOptions.maximumGain) decibels, but is \(gain)")
      }
      self.gain *= pow(10, gain / 20)
    }
    if let name = settings.timing {
      guard let timing = Timing(rawValue: name) else {
        throw Failure(.failed, "timing must be exact or stock, but is '\(name)'")
      }
      self.timing = timing
    }
    effects = Effects(reverb: settings.reverb ?? true, chorus: settings.chorus ?? true)
    polyphony = settings.polyphony ?? polyphony
    preset = settings.preset.map { PresetSelection(bank: $0.bank, program: $0.program) }
    // All ports of a SoundFont share its presets, until one plays legato.
    ownsPresets = false
    do throws(InstrumentError) {
      try validate()
    } catch {
      throw Failure(.failed, error.description)
    }
  }
}
