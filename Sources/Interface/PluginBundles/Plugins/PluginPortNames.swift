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

extension PluginDescription {
  /// The URIs of the parameters, which hosts can set by messages: the plugin's, and the symbol of the control port.
  package var parameterURIs: [String] {
    PluginPortNames(self).symbols[PluginPorts(self).parameters].map { "\(uri)#\($0)" }
  }
}

/// The LV2 symbols of a plugin's ports and groups, each of which is unique.
struct SymbolTable {
  private var used: Set<String> = []

  /// Returns a symbol that no earlier call has returned: the text with `_` for all characters but letters and digits of
  /// ASCII, and a number at its end if that symbol is in use.
  mutating func add(_ text: String) -> String {
    var symbol = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            ? scalar : "_"
        }))
    // A symbol does not begin with a digit.
    if symbol.first?.isNumber ?? true { symbol = "_" + symbol }
    return used.insertUnique(symbol, separator: "_")
  }
}
