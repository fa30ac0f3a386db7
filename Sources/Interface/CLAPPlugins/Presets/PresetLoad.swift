import CCLAP
import Configuration
import NodeProtocol
import PluginBundles
import PluginCore
import RenderCore

/// Loads a preset of the port, or one of a SoundFont: what `PresetProvider` has listed.
nonisolated(unsafe) let presetLoad = permanent(
  clap_plugin_preset_load(from_location: { plugin, kind, location, key in
    guard let plugin else { return false }
    let instance = plugin.instance
    let text = key.map { String(cString: $0) }
    do throws(PresetProblem) {
      switch Int(kind) {
      case CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN: try instance.loadPreset(text)
      case CLAP_PRESET_DISCOVERY_LOCATION_FILE:
        try instance.loadPreset(text, of: location.map { String(cString: $0) })
      default:
        throw PresetProblem(
          "presets are in SoundFonts or in the plugin, not in a location of kind \(kind)")
      }
    } catch {
      instance.presetExtension?.pointee.on_error?(
        instance.host, kind, location, key, error.code, error.message)
      return false
    }
    instance.presetExtension?.pointee.loaded?(instance.host, kind, location, key)
    return true
  }))

/// Why a preset was not loaded.
private struct PresetProblem: Error {
  let message: String
  var code: Int32 = 0

  init(_ message: String, code: Int32 = 0) {
    self.message = message
    self.code = code
  }
}

extension CLAPInstance {
  fileprivate var presetExtension: UnsafePointer<clap_host_preset_load>? {
    host.extension(CLAP_EXT_PRESET_LOAD) ?? host.extension(CLAP_EXT_PRESET_LOAD_COMPAT)
  }

  /// Loads one of the presets that the port had when the plugin was installed, by its key.
  fileprivate func loadPreset(_ key: String?) throws(PresetProblem) {
    let uri = plugin.description.uri
    guard let key, let preset = plugin.presets.first(where: { $0.key(of: uri) == key }) else {
      throw PresetProblem(
        "the port has no preset '\(key ?? "")': choose one of the \(plugin.presets.count) that are listed"
      )
    }
    set(preset.values)
  }

  /// Plays a SoundFont, and a preset of it: `bank:program`.
  fileprivate func loadPreset(_ key: String?, of path: String?) throws(PresetProblem) {
    guard let path, path.hasPrefix("/") else {
      throw PresetProblem("'\(path ?? "")' is no absolute path")
    }
    do throws(SoundFontError) {
      try SoundFontSearch().check(path)
    } catch {
      throw PresetProblem("\(error)")
    }
    guard let file = plugin.description.files?.first(where: { $0.identifier == "soundfont" }) else {
      throw PresetProblem("\(plugin.description.name) plays no SoundFont")
    }
    let numbers = (key ?? "0:0").split(separator: ":").map { Float($0) ?? .nan }
    guard numbers.count == 2, numbers.allSatisfy(\.isFinite) else {
      throw PresetProblem("'\(key ?? "")' is no preset: write bank:program, such as 0:40")
    }
    choose(file.identifier, path)
    set(["preset.bank": numbers[0], "preset.program": numbers[1]])
  }

  private func set(_ newValues: [String: Float]) {
    for (index, parameter) in plugin.description.parameters.parameters.enumerated() {
      guard let new = newValues[parameter.identifier],
        let value = values.allowed(index, Double(new))
      else { continue }
      values.want(index, value)
    }
    rescanValues()
    requestFlush()
    let names: UnsafePointer<clap_host_note_name>? = host.extension(CLAP_EXT_NOTE_NAME)
    names?.pointee.changed?(host)
  }
}

extension Preset {
  /// Returns the key of one of a plugin's own presets: the plugin, and bank and program if they are all that the preset
  /// sets, otherwise the name.
  func key(of plugin: String) -> String {
    "\(plugin) \(soundFontNumbers.map { "\($0.bank):\($0.program)" } ?? name)"
  }
}
