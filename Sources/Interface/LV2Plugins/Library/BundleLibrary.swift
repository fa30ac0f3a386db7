package import CLV2
import FoundationEssentials
import PluginBundles
import PluginCore

/// Returns the library of a bundle for a host; `nil` if the folder has no readable ``PluginBundle``.
///
/// Realtime: no. Threads: any.
package func libraryDescriptor(folder: String) -> UnsafePointer<LV2_Lib_Descriptor>? {
  guard let library = BundleLibrary(folder: folder) else { return nil }
  return permanent(
    LV2_Lib_Descriptor(
      handle: Unmanaged.passRetained(library).toOpaque(),
      size: UInt32(MemoryLayout<LV2_Lib_Descriptor>.size), cleanup: cleanUp, get_plugin: getPlugin))
}

private func getPlugin(
  _ handle: LV2_Lib_Handle?, _ index: UInt32
) -> UnsafePointer<LV2_Descriptor>? {
  guard let handle else { return nil }
  return Unmanaged<BundleLibrary>.fromOpaque(handle).takeUnretainedValue().descriptor(at: index)
}

/// The descriptors remain, because instances may exist that refer to them.
private func cleanUp(_ handle: LV2_Lib_Handle?) {}

/// The plugins of a bundle.
final class BundleLibrary: Sendable {
  private nonisolated(unsafe) let entries: [UnsafeMutablePointer<PluginEntry>]

  /// - Returns: `nil` if the folder has no readable ``PluginBundle``.
  init?(folder: String) {
    guard let plugins = Self.plugins(folder: folder) else { return nil }
    entries = plugins.map { PluginEntry.make($0) }
  }

  /// Returns the plugins of a bundle; `nil` if the folder has no readable ``PluginBundle``.
  static func plugins(folder: String) -> [BundledPlugin]? {
    let file = URL(filePath: folder).appending(path: PluginBundle.fileName)
    guard let data = try? Data(contentsOf: file),
      let bundle = try? JSONDecoder().decode(PluginBundle.self, from: data),
      bundle.version == PluginBundle.currentVersion
    else {
      return nil
    }
    return bundle.bundledPlugins
  }

  func descriptor(at index: UInt32) -> UnsafePointer<LV2_Descriptor>? {
    guard index < entries.count else { return nil }
    return UnsafeRawPointer(entries[Int(index)]).assumingMemoryBound(to: LV2_Descriptor.self)
  }
}

/// A descriptor, followed by what it describes.
struct PluginEntry {
  private let descriptor: LV2_Descriptor
  private let plugin: BundledPlugin

  /// Allocates an entry that is never freed.
  static func make(_ plugin: BundledPlugin) -> UnsafeMutablePointer<PluginEntry> {
    let entry = UnsafeMutablePointer<PluginEntry>.allocate(capacity: 1)
    let uri = permanentText(plugin.description.uri)
    entry.initialize(to: PluginEntry(descriptor: LV2_Descriptor(uri: uri), plugin: plugin))
    return entry
  }

  /// Returns what a descriptor of ``make(_:)`` describes.
  static func plugin(of descriptor: UnsafePointer<LV2_Descriptor>) -> BundledPlugin? {
    UnsafeRawPointer(descriptor).assumingMemoryBound(to: PluginEntry.self).pointee.plugin
  }
}
