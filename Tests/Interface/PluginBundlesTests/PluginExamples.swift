import PluginBundles
import NodeProtocol
import RenderCore

/// Returns a plugin of a port.
func makePlugin(
  _ type: PortType = .instrument, subtype: String = "abcd", name: String = "Test: Example",
  version: String = "1.2.3", tags: [String] = [], inputs: Int? = nil, outputs: Int = 2,
  parameters: [Parameter] = [], groups: [ParameterTree.Group] = [], presets: [Preset] = []
) throws -> BundledPlugin {
  let component = ComponentDescription(
    type: type, subtype: try FourCharacterCode(subtype),
    manufacturer: try FourCharacterCode("Test"))
  return BundledPlugin(
    PluginDescription(
      uri: PluginURI.plugin(for: component), type: type,
      port: try PortDescription(
        component: component, name: name, version: SemanticVersion(version), tags: tags),
      inputChannels: inputs ?? (type.takesAudio ? 2 : 0), outputChannels: outputs,
      parameters: ParameterTree(parameters, groups: groups)),
    presets: presets)
}

extension BundleContent {
  func text(_ file: String) -> String { String(decoding: files[file] ?? [], as: UTF8.self) }
}

/// Returns the description of one plugin in Turtle.
func turtle(_ plugin: BundledPlugin) -> String {
  BundleContent(node: "test", plugins: [plugin]).text("plugins.ttl")
}

extension String {
  /// The description of the LV2 port with a symbol, as single lines.
  func port(_ symbol: String) -> [String] {
    components("\n  ] , [\n").flatMap { $0.components("lv2:port [\n") }
      .first { $0.contains("lv2:symbol \"\(symbol)\"") }?
      .components("\n").map { $0.trimmed } ?? []
  }

  private func components(_ separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  private var trimmed: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.hasSuffix(" ;") { text.removeLast(2) }
    return String(text)
  }
}
