package import NodeProtocol
package import RenderCore

/// A plugin of a bundle, and the presets of its unit.
package struct BundledPlugin: Equatable, Sendable {
  package let description: PluginDescription
  package let presets: [Preset]

  package init(_ description: PluginDescription, presets: [Preset] = []) {
    self.description = description
    self.presets = presets
  }

  /// The plugin whose port the user selects.
  package init(anyPortOf type: PortType) {
    self.init(
      PluginDescription(
        uri: PluginURI.plugin(forAny: type), type: type, port: nil,
        inputChannels: type.takesAudio ? 2 : 0, outputChannels: 2, parameters: ParameterTree()))
  }
}

extension PluginDescription {
  /// The name that hosts show.
  package var name: String { port?.name ?? "Portative: Any \(type.title)" }
}

extension PortType {
  fileprivate var title: String {
    switch self {
    case .instrument: "Instrument"
    case .effect: "Effect"
    case .musicEffect: "Music Effect"
    case .generator: "Generator"
    }
  }
}
