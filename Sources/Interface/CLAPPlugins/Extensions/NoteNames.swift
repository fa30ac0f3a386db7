import CCLAP
import PluginBundles
import PluginCore
import RenderCore

/// The names of drums: on channel 10, and on all channels while a drum kit is the preset.
nonisolated(unsafe) let noteNames = permanent(
  clap_plugin_note_name(
    count: { UInt32($0?.instance.drums.count ?? 0) },
    get: { plugin, index, name in
      guard let plugin, let name else { return false }
      let drums = plugin.instance.drums
      guard drums.indices.contains(Int(index)) else { return false }
      var result = clap_note_name()
      write(drums[Int(index)].name, to: &result.name)
      result.port = -1
      result.key = Int16(drums[Int(index)].key)
      result.channel = plugin.instance.playsDrumKit ? -1 : 9
      name.pointee = result
      return true
    }))

extension CLAPInstance {
  /// The drums of an instrument that plays the presets of a SoundFont.
  fileprivate var drums: [(key: Int, name: String)] {
    guard bank != nil else { return [] }
    return (0...127).compactMap { key in GeneralMIDI.drum(key).map { (key, $0) } }
  }

  /// Bank 128 of a SoundFont has its drum kits.
  fileprivate var playsDrumKit: Bool { bank.map { values[$0] == 128 } ?? false }

  private var bank: Int? { plugin.description.parameters.index(of: "preset.bank") }
}
