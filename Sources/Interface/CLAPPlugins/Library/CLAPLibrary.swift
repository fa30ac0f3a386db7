import CCLAP
import Glibc
import LocalSystem
import PluginBundles
import Synchronization

/// The plugins of the shared object: those of the bundles that `portative lv2 install` has written.
///
/// Nothing is started or connected here, because hosts scan plugins.
final class CLAPLibrary: Sendable {
  static let shared = CLAPLibrary()

  private struct State {
    /// The number of calls of `init` without a `deinit`.
    var users = 0
    /// `nil` before the bundles are read.
    var entries: [CLAPEntry]?
  }

  private let state = Mutex(State())

  func begin() { state.withLock { $0.users += 1 } }

  /// The descriptors remain, because instances may exist that refer to them.
  func end() { state.withLock { $0.users = max(0, $0.users - 1) } }

  /// The plugins, which are read at the first call.
  var entries: [CLAPEntry] {
    state.withLock { state in
      if let entries = state.entries { return entries }
      let entries = Self.read([])
      state.entries = entries
      return entries
    }
  }

  /// Reads the bundles again. An entry that has not changed remains the same.
  func refresh() {
    state.withLock { $0.entries = Self.read($0.entries ?? []) }
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
