public import RenderCore

/// The file `portative.json` of an LV2 bundle: what the shared object must know about the plugins of its bundle.
///
/// `portative lv2` writes this file together with the Turtle files, so that both describe the same ports. The shared
/// object reads it and not the Turtle files, and so needs no library for RDF. That of the CLAP plugins reads those of all
/// bundles.
public struct PluginBundle: Codable, Equatable, Sendable {
  /// The version of the format: ``currentVersion``.
  public let version: Int
  /// The name of the node whose ports the plugins play; `nil` if it is unknown.
  public let node: String?
  public let plugins: [PluginDescription]
  /// The presets of the plugins' units, by the URIs of the plugins; `nil` in bundles of earlier versions.
  public let presets: [String: [Preset]]?

  /// The plugins with their presets.
  package var bundledPlugins: [BundledPlugin] {
    plugins.map { BundledPlugin($0, presets: presets?[$0.uri] ?? []) }
  }

  public static let fileName = "portative.json"
  public static let currentVersion = 1

  public init(
    plugins: [PluginDescription], presets: [String: [Preset]] = [:], node: String? = nil
  ) {
    self.presets = presets
    version = Self.currentVersion
    self.node = node
    self.plugins = plugins
  }
}
