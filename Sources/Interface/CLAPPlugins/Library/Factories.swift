import CCLAP
import PluginBundles
import Glibc

/// Counts a host. Fast, because hosts scan plugins. Threads: any.
///
/// - Parameter path: The path of the shared object, which is not used: the bundles are found by themselves.
package func beginCLAP(_ path: UnsafePointer<CChar>?) -> Bool {
  CLAPLibrary.shared.begin()
  return true
}

/// Ends what ``beginCLAP(_:)`` has begun. Threads: any.
package func endCLAP() { CLAPLibrary.shared.end() }

/// Returns a factory; `nil` for an unknown one. Threads: any.
package func clapFactory(_ identifier: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
  switch identifier.map({ String(cString: $0) }) {
  case CLAP_PLUGIN_FACTORY_ID: UnsafeRawPointer(pluginFactory)
  case CLAP_PLUGIN_INVALIDATION_FACTORY_ID: UnsafeRawPointer(invalidationFactory)
  case CLAP_PRESET_DISCOVERY_FACTORY_ID, CLAP_PRESET_DISCOVERY_FACTORY_ID_COMPAT:
    UnsafeRawPointer(presetFactory)
  default: nil
  }
}

/// Allocates a value that is never freed, for hosts.
func permanent<Value>(_ value: Value) -> UnsafePointer<Value> {
  let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  memory.initialize(to: value)
  return UnsafePointer(memory)
}

/// Allocates a text that is never freed, for hosts.
func permanentText(_ text: String) -> UnsafePointer<CChar> { UnsafePointer(strdup(text)!) }

nonisolated(unsafe) private let pluginFactory = permanent(
  clap_plugin_factory(
    get_plugin_count: { _ in UInt32(CLAPLibrary.shared.entries.count) },
    get_plugin_descriptor: { _, index in
      let entries = CLAPLibrary.shared.entries
      return entries.indices.contains(Int(index)) ? entries[Int(index)].descriptor : nil
    },
    create_plugin: { _, host, identifier in
      guard let host, let identifier, host.pointee.clap_version.major >= 1 else { return nil }
      let text = String(cString: identifier)
      guard
        let entry = CLAPLibrary.shared.entries.first(where: { $0.plugin.description.uri == text })
      else { return nil }
      return CLAPInstance.make(entry, host)
    }))

/// The bundles, whose changes change the list of plugins.
nonisolated(unsafe) private let invalidationFactory = permanent(
  clap_plugin_invalidation_factory(
    count: { _ in UInt32(sources.count) },
    get: { _, index in sources.indices.contains(Int(index)) ? sources[Int(index)] : nil },
    refresh: { _ in
      CLAPLibrary.shared.refresh()
      return true
    }))

nonisolated(unsafe) private let sources = CLAPLibrary.folders.map { folder in
  permanent(
    clap_plugin_invalidation_source(
      directory: UnsafePointer(strdup(folder)),
      filename_glob: UnsafePointer(strdup("portative.json")),
      recursive_scan: true))
}
