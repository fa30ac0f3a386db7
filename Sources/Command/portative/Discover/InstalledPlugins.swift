import LV2Host
import NodeProtocol
import PluginNodes

/// The LV2 plugins that are installed, as text for users and JSON for programs.
struct InstalledPlugins {
  private let plugins: [LV2Plugin]

  /// - Parameter type: The type of port that they play; `nil` for all.
  /// - Throws: ``LV2Error/noLibrary``.
  init(_ type: PortType?) throws(LV2Error) {
    plugins = try LV2Library.open().plugins().filter { type == nil || $0.portType == type }
  }

  var text: OutputText {
    if plugins.isEmpty { return "No LV2 plugin is installed in the folders of LV2_PATH.\n" }
    let rows = plugins.map { plugin in
      [plugin.name, plugin.portType.rawValue, plugin.category, plugin.uri]
        + [plugin.problem.map { "cannot be played: \($0)" } ?? properties(plugin)]
    }
    return Columns.table(["PLUGIN", "TYPE", "CATEGORY", "URI", ""], rows)
  }

  /// What files and texts the plugin has.
  private func properties(_ plugin: LV2Plugin) -> String {
    let (files, texts) = (Self.names(plugin, areFiles: true), Self.names(plugin, areFiles: false))
    return [("files", files), ("texts", texts)].filter { !$1.isEmpty }
      .map { "\($0): \($1.joined(separator: ", "))" }.joined(separator: "; ")
  }

  private static func names(_ plugin: LV2Plugin, areFiles: Bool) -> [String] {
    plugin.textProperties.filter { $0.isFile == areFiles }.map(\.identifier)
  }

  /// One line of JSON for each plugin.
  var jsonLines: OutputText { plugins.map { JSONOutput.plugins.line(Entry($0)) }.joined() }

  private struct Entry: Encodable {
    let uri, name, maker, category: String
    let type: PortType
    let audioInputs, audioOutputs: Int
    let files, texts: [String]
    /// Absent if the plugin can be played.
    let problem: String?

    init(_ plugin: LV2Plugin) {
      (uri, name, maker, category) = (plugin.uri, plugin.name, plugin.maker, plugin.category)
      (type, problem) = (plugin.portType, plugin.problem)
      (audioInputs, audioOutputs) = (plugin.audioInputs, plugin.audioOutputs)
      (files, texts) = (
        InstalledPlugins.names(plugin, areFiles: true),
        InstalledPlugins.names(plugin, areFiles: false)
      )
    }
  }
}
