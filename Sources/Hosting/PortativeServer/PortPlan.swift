import Configuration
import FluidSynthEngine
import LocalSystem
package import NodeProtocol

/// A port of the configuration.
package struct PortPlan: Equatable, Sendable {
  package let description: PortDescription
  package let unit: UnitKind
  /// The sound of a synth, a multi-synth or a layer; `nil` for other units.
  let instrument: Instrument?
  /// The names of the ports that a chain plays; empty for other units.
  let nodes: [String]
  /// The initial values of the unit's parameters.
  let parameters: [String: Float]

  struct Instrument: Equatable, Sendable {
    let settings: InstrumentSettings
    /// The path of the SoundFont.
    let soundFont: String
  }

  var type: PortType { description.component.type }

  /// The greatest number of ports of a chain. Each adds a connection, and a wait in every cycle.
  private static let maximumNodes = 16

  /// - Parameter soundFont: The path of the SoundFont for a port that names none.
  init(_ settings: PortSettings, soundFont: String) throws {
    unit = try UnitKind(settings)
    let component = ComponentDescription(
      type: try unit.type(settings), subtype: try Self.code(settings.subtype, "subtype"),
      manufacturer: try Self.code(settings.manufacturer ?? "Ptvo", "manufacturer"))
    description = try PortDescription(
      component: component, name: settings.name, version: SemanticVersion(portativeVersion),
      icon: settings.icon, tags: settings.tags ?? [])
    instrument =
      try unit.usesSoundFont
      ? Instrument(
        settings: InstrumentSettings(settings), soundFont: settings.soundfont ?? soundFont) : nil
    nodes = try unit == .chain ? Self.nodes(settings) : []
    parameters = (settings.parameters ?? [:]).mapValues { Float($0) }
  }

  private static func code(_ text: String, _ field: String) throws -> FourCharacterCode {
    do {
      return try FourCharacterCode(text)
    } catch {
      throw SettingError(field, "must be a code: \(error)")
    }
  }

  private static func nodes(_ settings: PortSettings) throws -> [String] {
    guard let nodes = settings.nodes, !nodes.isEmpty else {
      throw SettingError(
        settings.nodes == nil ? nil : "nodes",
        "a chain needs nodes: [\"NAME\", …], the ports to play, as portative list names them")
    }
    if nodes.count > maximumNodes {
      throw SettingError(
        "nodes", "has \(nodes.count) ports, but a chain can have at most \(maximumNodes)")
    }
    return nodes
  }

  /// Checks that the component and the name are unique. Programs identify ports by component, users by name.
  func check(after others: [Self]) throws {
    for other in others.map(\.description) {
      if other.component == description.component {
        throw SettingError(
          "subtype",
          "makes the component '\(description.component)', which '\(other.name)' already has: "
            + "give one of them another subtype")
      }
      if other.name == description.name {
        throw SettingError(
          "name", "is '\(description.name)', which another port already has: rename one of them")
      }
    }
  }
}

extension PortSettings {
  /// Whether the port needs a SoundFont and names none. An error in the port is reported later.
  var needsDefaultSoundFont: Bool {
    soundfont == nil && (try? UnitKind(self))?.usesSoundFont ?? false
  }
}

extension [PortSettings] {
  /// The ports of a server without a configuration: every unit except a chain. Keyboards play the first.
  static var builtIn: Self {
    var playedDelay = PortSettings(
      name: "Portative: Played Delay", subtype: "dely", unit: "delay", tags: ["delay"])
    playedDelay.type = PortType.musicEffect.rawValue
    return [
      PortSettings(name: "Portative: General MIDI", subtype: "gmsy", tags: ["General MIDI"]),
      PortSettings(
        name: "Portative: General MIDI Multi-Output", subtype: "gmmo", unit: "multi-synth",
        tags: ["General MIDI"]),
      PortSettings(name: "Portative: Layer", subtype: "layr", unit: "layer"),
      PortSettings(name: "Portative: Resonator", subtype: "reso", unit: "resonator"),
      PortSettings(name: "Portative: Delay", subtype: "dely", unit: "delay", tags: ["delay"]),
      playedDelay,
      PortSettings(name: "Portative: Metronome", subtype: "metr", unit: "metronome"),
    ]
  }
}
