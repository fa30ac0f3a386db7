import CCLAP
import PluginBundles
import PluginCore

nonisolated(unsafe) let audioPorts = permanent(
  clap_plugin_audio_ports(
    count: { plugin, isInput in
      guard let plugin else { return 0 }
      return UInt32(plugin.instance.plugin.description.audioPorts(isInput).count)
    },
    get: { plugin, index, isInput, info in
      guard let plugin, let info else { return false }
      let description = plugin.instance.plugin.description
      let ports = description.audioPorts(isInput)
      guard ports.indices.contains(Int(index)) else { return false }
      let port = ports[Int(index)]
      let others = description.audioPorts(!isInput)
      // One memory may be the input and the output of an effect.
      let isPair = ports.count == 1 && others.count == 1 && others[0].channels == port.channels
      var result = clap_audio_port_info()
      result.id = index
      write(port.name, to: &result.name)
      result.flags = index == 0 ? UInt32(CLAP_AUDIO_PORT_IS_MAIN) : 0
      result.channel_count = UInt32(port.channels)
      result.port_type = port.channels == 2 ? stereo : mono
      result.in_place_pair = isPair ? 0 : CLAP_INVALID_ID
      info.pointee = result
      return true
    }))

nonisolated(unsafe) private let stereo = permanentText(CLAP_PORT_STEREO)
nonisolated(unsafe) private let mono = permanentText(CLAP_PORT_MONO)

/// Instruments and music effects receive MIDI, and send what their units make.
nonisolated(unsafe) let notePorts = permanent(
  clap_plugin_note_ports(
    count: { _, _ in 1 },
    get: { _, index, isInput, info in
      guard let info, index == 0 else { return false }
      let midi = UInt32(CLAP_NOTE_DIALECT_MIDI)
      var result = clap_note_port_info()
      result.id = 0
      // Controllers and programs come as MIDI only, and the unit sends MIDI.
      result.supported_dialects = isInput ? midi | UInt32(CLAP_NOTE_DIALECT_CLAP) : midi
      result.preferred_dialect = midi
      write("MIDI", to: &result.name)
      info.pointee = result
      return true
    }))
