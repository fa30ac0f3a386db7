import CLilv
import LV2Atoms
import Synchronization

/// The LV2 plugins that are installed, as lilv finds them: in the folders of `LV2_PATH`, or in its standard folders.
///
/// lilv is loaded with the first use. It then reads the manifests of all bundles, about 40 ms for 600 plugins, and the rest of a
/// bundle when one of its plugins is asked for.
///
/// Realtime: no. Threads: any; lilv is used by one at a time.
package final class LV2Library: Sendable {
  private let reader: Mutex<LilvReader>

  /// The library of this process, or why there is none.
  private static let shared: Result<LV2Library, LV2Error> = Result { () throws(LV2Error) in
    try LV2Library()
  }

  /// Returns the plugins of this process.
  ///
  /// - Throws: ``LV2Error/noLibrary`` if lilv is not installed.
  package static func open() throws(LV2Error) -> LV2Library { try shared.get() }

  private init() throws(LV2Error) {
    guard let functions = clilv_load(), let world = functions.pointee.world_new() else {
      throw .noLibrary
    }
    functions.pointee.world_load_all(world)
    reader = Mutex(LilvReader(functions: functions, world: world))
  }

  /// Uses lilv.
  func read<Value>(
    _ body: (LilvReader) throws(LV2Error) -> sending Value
  ) throws(LV2Error) -> sending Value {
    try reader.withLock { reader throws(LV2Error) in try body(reader) }
  }

  /// The plugins in the order of their names, also those that cannot be played.
  package func plugins() -> [LV2Plugin] {
    reader.withLock { reader in
      reader.plugins.map { LV2Plugin($0, reader) }
        .sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
    }
  }

  /// Returns a plugin.
  ///
  /// - Throws: ``LV2Error/notInstalled(_:_:)`` or ``LV2Error/noPlugin(_:type:)`` if there is none with this URI.
  package func plugin(_ uri: String) throws(LV2Error) -> LV2Plugin {
    try read { reader throws(LV2Error) in LV2Plugin(try reader.plugin(uri), reader) }
  }
}

/// Why an LV2 plugin cannot be played. Its description is a sentence for the user.
package enum LV2Error: Error, Equatable, Sendable, CustomStringConvertible {
  case noLibrary
  /// The URI, and similar ones that are installed.
  case notInstalled(String, [String])
  /// The URI of something in a bundle that lilv does not take for a plugin, and the URI of its type.
  case noPlugin(String, type: String)
  /// The plugin's name, and the reason.
  case unplayable(String, String)
  /// Why an instance cannot be made, or cannot have a state.
  case failed(String)
  case unknownPreset(String, plugin: String, known: [String])
  /// The name of a file or text that the plugin does not have.
  case unknownProperty(String, plugin: String, known: [String])
  /// The name of the property, and why it cannot be the path.
  case unusableFile(String, plugin: String, path: String, reason: String)

  /// The URIs of similar plugins that are installed.
  package var similar: [String] {
    if case .notInstalled(_, let similar) = self { similar } else { [] }
  }

  /// The name of the property that is not there, or has an unusable file; `nil` for another error.
  package var property: String? {
    switch self {
    case .unknownProperty(let name, _, _), .unusableFile(let name, _, _, _): name
    default: nil
    }
  }

  package var description: String {
    switch self {
    case .noLibrary:
      "LV2 plugins need liblilv-0.so.0, which is not installed: install liblilv-0-0"
    case .notInstalled(let uri, let similar):
      "no LV2 plugin '\(uri)' is installed: "
        + (similar.isEmpty
          ? "portative list --lv2 shows those that are"
          : "is it \(similar.joined(separator: " or "))?")
    case .noPlugin(let uri, LV2URI.core + "Plugin"):
      "the bundle of the LV2 plugin '\(uri)' is damaged: install the plugin again"
    case .noPlugin(let uri, let type):
      "'\(uri)' is not an LV2 plugin, but "
        + (type.hasPrefix(LV2URI.userInterface)
          ? "the user interface of one" : "something of the type \(type)")
        + ": portative list --lv2 shows the plugins that are installed"
    case .unplayable(let name, let reason):
      "the LV2 plugin '\(name)' cannot be played: \(reason)"
    case .failed(let reason): reason
    case .unknownPreset(let preset, let plugin, let known):
      "\(plugin) has no preset '\(preset)': "
        + (known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))")
    case .unknownProperty(let name, let plugin, let known):
      "\(plugin) has no file or text '\(name)': "
        + (known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))")
    case .unusableFile(let property, let plugin, let path, let reason):
      "'\(property)' of \(plugin) cannot be '\(path)': \(reason)"
    }
  }
}
