import RenderCore

/// How the channels of a format meet the audio ports of a plugin.
///
/// Realtime: yes, except for creation.
struct ChannelRouting: BitwiseCopyable {
  let inputs, outputs: Int
  let pluginInputs, pluginOutputs: Int

  /// - Throws: ``FormatError`` if the plugin cannot play in the format.
  init(_ plugin: LV2Plugin, _ format: Format) throws(FormatError) {
    inputs = format.inputChannels
    outputs = format.outputChannels
    pluginInputs = plugin.audioInputs
    pluginOutputs = plugin.audioOutputs
    let takesAudio = plugin.kind == .effect || plugin.kind == .musicEffect
    if !takesAudio, inputs > 0 {
      throw FormatError(field: "inputChannels", value: inputs, allowed: 0...0)
    }
    let most = max(2, pluginOutputs)
    if outputs > 2, outputs != pluginOutputs {
      throw FormatError(field: "outputChannels", value: outputs, allowed: most...most)
    }
    if inputs > max(2, pluginInputs) {
      throw FormatError(
        field: "inputChannels", value: inputs, allowed: 0...max(2, pluginInputs))
    }
  }

  /// Whether each output of the plugin is a channel.
  var isDirect: Bool { @_noLocks get { outputs == pluginOutputs } }
}
