import BatchRenderer
import Configuration
import FluidSynthEngine
import LV2Host
import LocalSystem
package import NodeProtocol
import PluginNodes

/// A port of the configuration.
package struct PortPlan: Equatable, Sendable {
  package let description: PortDescription
  package let unit: UnitKind
  /// The sound of a synth, a multi-synth or a layer; `nil` for other units.
  let instrument: Instrument?
  /// The names of the ports that a chain plays; empty for other units.
  let nodes: [String]
  /// What plays the channels of a split; empty for other units.
  let channelInstruments: [ChannelInstrument]
  /// The LV2 plugin; `nil` for other units.
  let plugin: PluginSelection?
  /// Whether the plugin has a process of its own.
  let isIsolated: Bool
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
    let plugin = try unit == .lv2 ? settings.plugin() : nil
    self.plugin = plugin
    description = try PortDescription(
      component: component, name: settings.name, version: SemanticVersion(portativeVersion),
      icon: settings.icon, tags: settings.tags ?? [],
      channels: try plugin?.plugin.channels() ?? unit.channels)
    instrument =
      try unit.usesSoundFont
      ? Instrument(
        settings: InstrumentSettings(settings), soundFont: settings.soundfont ?? soundFont) : nil
    nodes = try unit == .chain ? Self.nodes(settings) : []
    channelInstruments = try unit == .split ? settings.channelInstruments() : []
    isIsolated = try settings.isIsolated()
    if let plugin, let type = settings.type, type != plugin.plugin.portType.rawValue {
      throw SettingError(
        "type", "of '\(plugin.plugin.name)' must be \(plugin.plugin.portType), but is '\(type)'")
    }
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
  /// The settings with the name, codes and type of its LV2 plugin where it has none. A plugin that cannot be played is reported
  /// later.
  var completed: Self {
    guard let lv2, (try? UnitKind(self)) == .lv2 else { return self }
    let plugin = try? PluginSelection(lv2).plugin
    var settings = self
    if name.isEmpty { settings.name = plugin?.portName ?? "LV2: \(lv2)" }
    if subtype.isEmpty { settings.subtype = LV2Plugin.subtype(of: plugin?.uri ?? lv2) }
    settings.manufacturer = manufacturer ?? LV2Plugin.manufacturer
    settings.type = type ?? plugin?.portType.rawValue
    if tags == nil, let plugin, !plugin.category.isEmpty { settings.tags = [plugin.category] }
    return settings
  }

  fileprivate func plugin() throws(SettingError) -> PluginSelection {
    guard let lv2 else {
      throw SettingError(nil, "a port of the unit lv2 needs lv2: \"URI\", a plugin")
    }
    let source: LV2Source
    do throws(LV2Error) {
      source = try PluginSelection(lv2).source
    } catch {
      throw SettingError("lv2", "cannot be played: \(error)")
    }
    let (files, texts) = (files ?? [:], texts ?? [:])
    for property in source.plugin.textProperties {
      let (wrong, right) = property.isFile ? ("texts", "files") : ("files", "texts")
      if (property.isFile ? texts : files)[property.identifier] == nil { continue }
      throw SettingError(
        "\(wrong).\(property.identifier)",
        "is \(property.isFile ? "a file" : "a text"): write it into \(right)")
    }
    do throws(LV2Error) {
      return PluginSelection(try source.with(properties: files.merging(texts) { $1 }))
    } catch {
      let name = error.property ?? ""
      throw SettingError(
        "\(files[name] == nil ? "texts" : "files").\(name)", "cannot be used: \(error)")
    }
  }

  fileprivate func isIsolated() throws(SettingError) -> Bool {
    switch isolation {
    case nil, "process": true
    case "shared": false
    case let other?: throw SettingError("isolation", is: other, of: ["process", "shared"])
    }
  }

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
