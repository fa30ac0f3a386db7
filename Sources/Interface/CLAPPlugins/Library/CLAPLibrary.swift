import CCLAP
import LocalSystem
import PluginBundles
import Synchronization

/// The plugins of the shared object: those of the bundles that `portative lv2 install` has written.
///
/// Nothing is started or connected here, because hosts scan plugins.
final class CLAPLibrary: Sendable {
  static let shared = CLAPLibrary()

  /// `nil` before the bundles are read.
  private let known = Mutex<[CLAPEntry]?>(nil)

  /// The plugins, which are read at the first call.
  var entries: [CLAPEntry] {
    known.withLock { known in
      let entries = known ?? Self.read([])
      known = entries
      return entries
    }
  }

  /// Reads the bundles again. An entry that has not changed remains the same.
  func refresh() {
    known.withLock { $0 = Self.read($0 ?? []) }
  }

  /// The folders with bundles, the first of which takes precedence.
  static var folders: [String] { PluginFolders.all() }

  private static func read(_ known: [CLAPEntry]) -> [CLAPEntry] {
    var identifiers: Set<String> = []
    var entries: [CLAPEntry] = []
    for bundle in folders.flatMap({ BundleFolder($0).bundles }) {
      for plugin in bundle.bundledPlugins where plugin.description.port != nil {
        guard identifiers.insert(plugin.description.uri).inserted else { continue }
        entries.append(known.first { $0.plugin == plugin } ?? CLAPEntry(plugin))
      }
    }
    return entries
  }
}
