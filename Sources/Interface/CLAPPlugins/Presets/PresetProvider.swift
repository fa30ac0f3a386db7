import CCLAP
import Configuration
import Glibc
import LocalSystem
import NodeProtocol
import PluginBundles
import PluginCore
import RenderCore

/// Offers one provider: the presets of the plugins' ports, and those of the SoundFonts on this machine.
nonisolated(unsafe) let presetFactory = permanent(
  clap_preset_discovery_factory(
    count: { _ in 1 }, get_descriptor: { _, index in index == 0 ? providerDescriptor : nil },
    create: { _, indexer, identifier in
      guard let indexer, let identifier, strcmp(identifier, providerDescriptor.pointee.id) == 0
      else { return nil }
      return PresetProvider.make(indexer)
    }))

nonisolated(unsafe) private let providerDescriptor = permanent(
  clap_preset_discovery_provider_descriptor(
    clap_version: currentVersion, id: permanentText("urn:portative:presets"),
    name: permanentText("Portative"), vendor: permanentText("Portative")))

/// A provider. Threads: one at a time.
private final class PresetProvider {
  private let indexer: UnsafePointer<clap_preset_discovery_indexer>
  private let structure = UnsafeMutablePointer<clap_preset_discovery_provider>.allocate(capacity: 1)

  private init(_ indexer: UnsafePointer<clap_preset_discovery_indexer>) { self.indexer = indexer }

  deinit { structure.deallocate() }

  static func make(
    _ indexer: UnsafePointer<clap_preset_discovery_indexer>
  ) -> UnsafePointer<clap_preset_discovery_provider> {
    let provider = PresetProvider(indexer)
    provider.structure.initialize(
      to: clap_preset_discovery_provider(
        desc: providerDescriptor, provider_data: Unmanaged.passRetained(provider).toOpaque(),
        init: { $0?.provider.declare() ?? false },
        destroy: { provider in
          guard let data = provider?.pointee.provider_data else { return }
          Unmanaged<PresetProvider>.fromOpaque(data).release()
        },
        get_metadata: { provider, kind, location, receiver in
          guard let provider, let receiver else { return false }
          switch Int(kind) {
          case CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN:
            return provider.provider.sendOwn(to: receiver)
          case CLAP_PRESET_DISCOVERY_LOCATION_FILE:
            guard let location else { return false }
            return provider.provider.send(String(cString: location), to: receiver)
          default: return false
          }
        },
        get_extension: { _, _ in nil }))
    return UnsafePointer(provider.structure)
  }

  /// Declares SoundFonts, the folders in which they are, and the presets of the plugins.
  func declare() -> Bool {
    for ending in ["sf2", "sf3"] {
      let isDeclared = with("SoundFont", ending) { name, ending in
        var type = clap_preset_discovery_filetype(
          name: name, description: nil, file_extension: ending)
        return indexer.pointee.declare_filetype?(indexer, &type) ?? false
      }
      if !isDeclared { return false }
    }
    var own = clap_preset_discovery_location()
    own.flags = UInt32(CLAP_PRESET_DISCOVERY_IS_FACTORY_CONTENT)
    own.kind = UInt32(CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN)
    let isDeclared = "Portative".withCString { name in
      own.name = name
      return indexer.pointee.declare_location?(indexer, &own) ?? false
    }
    if !isDeclared { return false }
    for folder in SoundFontSearch().folders where access(folder, R_OK) == 0 {
      let isDeclared = with(String(folder.folderAndName.name), folder) { name, path in
        var location = clap_preset_discovery_location(
          flags: UInt32(CLAP_PRESET_DISCOVERY_IS_USER_CONTENT), name: name,
          kind: UInt32(CLAP_PRESET_DISCOVERY_LOCATION_FILE), location: path)
        return indexer.pointee.declare_location?(indexer, &location) ?? false
      }
      if !isDeclared { return false }
    }
    return true
  }

  /// Sends the presets that the ports had when their plugins were installed.
  func sendOwn(to receiver: UnsafePointer<clap_preset_discovery_metadata_receiver>) -> Bool {
    for entry in CLAPLibrary.shared.entries {
      for preset in entry.plugin.presets {
        let key = preset.key(of: entry.plugin.description.uri)
        if !begin(preset.name, key, [entry], receiver) { return true }
      }
    }
    return true
  }

  /// Sends the presets of a SoundFont, which every plugin that plays SoundFonts can load.
  func send(
    _ path: String, to receiver: UnsafePointer<clap_preset_discovery_metadata_receiver>
  ) -> Bool {
    let players = CLAPLibrary.shared.entries.filter { entry in
      entry.plugin.description.files?.contains { $0.identifier == "soundfont" } ?? false
        && entry.plugin.description.parameters.index(of: "preset.program") != nil
    }
    do throws(SoundFontError) {
      for preset in try SoundFontFile.presets(of: path) {
        let key = "\(preset.bank):\(preset.program)"
        if !begin(preset.name, key, players, receiver) { return true }
      }
      return true
    } catch {
      receiver.pointee.on_error?(receiver, 0, "\(error)")
      return false
    }
  }

  /// - Returns: `false` if the host wants no more.
  private func begin(
    _ name: String, _ key: String, _ entries: [CLAPEntry],
    _ receiver: UnsafePointer<clap_preset_discovery_metadata_receiver>
  ) -> Bool {
    guard receiver.pointee.begin_preset?(receiver, name, key) ?? false else { return false }
    for entry in entries {
      "clap".withCString { abi in
        var identifier = clap_universal_plugin_id(abi: abi, id: entry.descriptor.pointee.id)
        receiver.pointee.add_plugin_id?(receiver, &identifier)
      }
    }
    receiver.pointee.add_feature?(receiver, "instrument")
    return true
  }

  private func with(
    _ a: String, _ b: String,
    _ work: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Bool
  ) -> Bool {
    a.withCString { a in b.withCString { b in work(a, b) } }
  }
}

extension UnsafePointer<clap_preset_discovery_provider> {
  fileprivate var provider: PresetProvider {
    Unmanaged<PresetProvider>.fromOpaque(pointee.provider_data).takeUnretainedValue()
  }
}
