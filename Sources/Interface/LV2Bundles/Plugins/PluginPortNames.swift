import PluginBundle
import RenderCore

/// The symbols of a plugin's LV2 ports and groups of ports.
///
/// Hosts store symbols in sessions, so a symbol depends only on the identifier of a parameter or the position of a
/// channel, unless two of them are the same.
struct PluginPortNames {
  /// The symbols of all ports, in the order of ``PluginPorts``.
  let symbols: [String]
  let inputGroups: [ChannelGroup]
  let outputGroups: [ChannelGroup]
  /// The symbols of the groups of parameters, by the groups' identifiers.
  let parameterGroups: [String: String]

  init(_ plugin: PluginDescription) {
    var table = SymbolTable()
    var symbols = ["events", "notifications", "freewheel", "enabled", "latency"].map {
      table.add($0)
    }
    var inputs = ChannelGroup.groups(ofInputs: plugin.inputChannels)
    var outputs = ChannelGroup.groups(ofOutputs: plugin.outputChannels, type: plugin.type)
    symbols += (inputs + outputs).flatMap { group in group.channels.map { table.add($0.symbol) } }
    symbols += plugin.parameters.parameters.map { table.add($0.identifier) }
    // The last, because the symbols of ports are what sessions refer to.
    for index in inputs.indices { inputs[index].symbol = table.add(inputs[index].symbol) }
    for index in outputs.indices { outputs[index].symbol = table.add(outputs[index].symbol) }
    var parameterGroups: [String: String] = [:]
    for group in plugin.parameters.groups where parameterGroups[group.identifier] == nil {
      parameterGroups[group.identifier] = table.add("group." + group.identifier)
    }
    self.symbols = symbols
    inputGroups = inputs
    outputGroups = outputs
    self.parameterGroups = parameterGroups
  }
}
