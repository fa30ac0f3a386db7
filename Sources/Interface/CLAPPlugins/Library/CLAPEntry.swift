import CCLAP
import NodeProtocol
import PluginBundles
import PluginCore

/// A plugin of the library: its descriptor, and what it describes.
struct CLAPEntry: @unchecked Sendable {
  /// Never freed, because instances refer to it after the library has been read again.
  let descriptor: UnsafePointer<clap_plugin_descriptor>
  let plugin: BundledPlugin

  /// - Parameter plugin: A plugin with a port of its own.
  init(_ plugin: BundledPlugin) {
    self.plugin = plugin
    let port = plugin.description.port
    let names = plugin.description.features
    let features = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: names.count + 1)
    for (index, name) in names.enumerated() {
      (features + index).initialize(to: permanentText(name))
    }
    (features + names.count).initialize(to: nil)
    descriptor = permanent(
      clap_plugin_descriptor(
        clap_version: currentVersion, id: permanentText(plugin.description.uri),
        name: permanentText(plugin.description.name),
        vendor: permanentText(port?.maker ?? "Portative"), url: permanentText(""),
        manual_url: permanentText(""), support_url: permanentText(""),
        version: permanentText(port?.version.description ?? ""),
        description: permanentText(
          "Plays the port \(plugin.description.name) of a Portative node"),
        features: features))
  }
}

/// The version of CLAP that these plugins were made for.
let currentVersion = clap_version(
  major: UInt32(CLAP_VERSION_MAJOR), minor: UInt32(CLAP_VERSION_MINOR),
  revision: UInt32(CLAP_VERSION_REVISION))

extension PluginDescription {
  /// The features by which hosts sort plugins in their browsers.
  fileprivate var features: [String] {
    let channels = outputChannels == 1 ? "mono" : "stereo"
    switch type {
    case .instrument: return ["instrument", "synthesizer", channels]
    // An instrument would have notes.
    case .generator: return ["audio-effect", "utility", channels]
    case .effect, .musicEffect:
      let tags = Set(port?.tags.map { $0.lowercased() } ?? [])
      return ["audio-effect"] + Self.effects.filter { tags.contains($0) } + [channels]
    }
  }

  private static let effects = [
    "chorus", "compressor", "delay", "distortion", "equalizer", "filter", "flanger", "gate",
    "limiter", "phaser", "reverb",
  ]
}
