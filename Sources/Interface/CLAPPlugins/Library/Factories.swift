import CCLAP
import PluginBundles
import PluginCore

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
      directory: permanentText(folder), filename_glob: permanentText(PluginBundle.fileName),
      recursive_scan: true))
}
