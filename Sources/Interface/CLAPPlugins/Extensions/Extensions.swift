import CCLAP
import NodeProtocol
import PluginBundles
import PluginCore
import LocalSystem

/// Returns an extension of plugins of a type; `nil` for one that they do not have. Threads: any.
func pluginExtension(_ identifier: String, of type: PortType) -> UnsafeRawPointer? {
  switch identifier {
  case CLAP_EXT_NOTE_PORTS where type.takesMIDI: UnsafeRawPointer(notePorts)
  case CLAP_EXT_NOTE_NAME where type.takesMIDI: UnsafeRawPointer(noteNames)
  case CLAP_EXT_VOICE_INFO where type.takesMIDI: UnsafeRawPointer(voiceInfo)
  case CLAP_EXT_AUDIO_PORTS: UnsafeRawPointer(audioPorts)
  case CLAP_EXT_GUI: UnsafeRawPointer(window)
  case CLAP_EXT_PARAMS: UnsafeRawPointer(parameters)
  case CLAP_EXT_STATE: UnsafeRawPointer(state)
  case CLAP_EXT_LATENCY: UnsafeRawPointer(latency)
  case CLAP_EXT_TAIL: UnsafeRawPointer(tail)
  case CLAP_EXT_RENDER: UnsafeRawPointer(render)
  case CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT: UnsafeRawPointer(presetLoad)
  case CLAP_EXT_REMOTE_CONTROLS, CLAP_EXT_REMOTE_CONTROLS_COMPAT: UnsafeRawPointer(remoteControls)
  default: nil
  }
}

nonisolated(unsafe) private let state = permanent(
  clap_plugin_state(
    save: { plugin, stream in
      guard let plugin, let stream else { return false }
      return plugin.instance.save(stream)
    },
    load: { plugin, stream in
      guard let plugin, let stream else { return false }
      return plugin.instance.load(stream)
    }))

nonisolated(unsafe) private let latency = permanent(
  clap_plugin_latency(get: { $0?.instance.latency ?? 0 }))

nonisolated(unsafe) private let tail = permanent(
  clap_plugin_tail(get: { $0?.instance.tail ?? UInt32.max }))

nonisolated(unsafe) private let render = permanent(
  clap_plugin_render(
    has_hard_realtime_requirement: { _ in false },
    set: { plugin, mode in
      guard let plugin, [CLAP_RENDER_REALTIME, CLAP_RENDER_OFFLINE].contains(Int(mode)) else {
        return false
      }
      plugin.instance.signals.isOffline.store(mode == CLAP_RENDER_OFFLINE ? 1 : 0)
      return true
    }))

/// A unit's limit is a setting of its node; FluidSynth's own default is what hosts are told.
nonisolated(unsafe) private let voiceInfo = permanent(
  clap_plugin_voice_info(get: { _, info in
    guard let info else { return false }
    info.pointee = clap_voice_info(
      voice_count: 256, voice_capacity: 256,
      flags: UInt64(CLAP_VOICE_INFO_SUPPORTS_OVERLAPPING_NOTES))
    return true
  }))

/// Writes a text with its end to the memory of a host, cut at a character.
///
/// - Parameter capacity: The bytes of the memory.
func write(_ text: String, to memory: UnsafeMutableRawPointer, capacity: Int) {
  if capacity <= 0 { return }
  var bytes: [UInt8] = []
  for character in text {
    let next = Array(String(character).utf8)
    if bytes.count + next.count >= capacity { break }
    bytes += next
  }
  bytes.append(0)
  memory.copyMemory(from: bytes, byteCount: bytes.count)
}

/// Writes a text with its end to an array in a structure of C.
func write<Array>(_ text: String, to array: inout Array) {
  withUnsafeMutableBytes(of: &array) { bytes in
    if let memory = bytes.baseAddress { write(text, to: memory, capacity: bytes.count) }
  }
}
