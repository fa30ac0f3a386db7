import NodeDirectory
import NodeHost
import PluginBundle

// The ports that every plugin has, and those of its audio.
extension PluginTurtle {
  /// The size in bytes of the buffers of events: that of the longest System Exclusive message and of some more events.
  private static var bufferSize: Int { Connection.longestSysEx + 16_384 }

  var fixedPorts: [TurtleProperties] { [events, notifications, freewheel, enabled, latency] }

  private var events: TurtleProperties {
    var port = port(PluginPorts.events, "Events", ["lv2:InputPort", "atom:AtomPort"])
    port.add("atom:bufferType", "atom:Sequence")
    port.add(
      "atom:supports",
      (plugin.type.takesMIDI ? ["midi:MidiEvent"] : []) + ["time:Position"] + messages)
    port.add("lv2:designation", "lv2:control")
    port.add("rsz:minimumSize", .integer(Self.bufferSize))
    return port
  }

  private var notifications: TurtleProperties {
    var port = port(
      PluginPorts.notifications, "Notifications", ["lv2:OutputPort", "atom:AtomPort"])
    port.add("atom:bufferType", "atom:Sequence")
    port.add("atom:supports", (plugin.type.takesMIDI ? ["midi:MidiEvent"] : []) + messages)
    port.add("lv2:designation", "lv2:control")
    port.add("rsz:minimumSize", .integer(Self.bufferSize))
    return port
  }

  /// Messages that set and report properties.
  private var messages: [TurtleTerm] { plugin.properties.isEmpty ? [] : ["patch:Message"] }

  private var freewheel: TurtleProperties {
    toggle(PluginPorts.freewheel, "Freewheel", "lv2:freeWheeling", default: 0)
  }

  private var enabled: TurtleProperties {
    toggle(PluginPorts.enabled, "Enabled", "lv2:enabled", default: 1)
  }

  private func toggle(
    _ index: Int, _ name: String, _ designation: TurtleTerm, default value: Int
  ) -> TurtleProperties {
    var port = port(index, name, ["lv2:InputPort", "lv2:ControlPort"])
    port.add("lv2:default", .integer(value))
    port.add("lv2:minimum", .integer(0))
    port.add("lv2:maximum", .integer(1))
    port.add("lv2:portProperty", "lv2:toggled", "pprops:notOnGUI")
    port.add("lv2:designation", designation)
    return port
  }

  private var latency: TurtleProperties {
    var port = port(PluginPorts.latency, "Latency", ["lv2:OutputPort", "lv2:ControlPort"])
    port.add("lv2:default", .integer(0))
    port.add("lv2:minimum", .integer(0))
    port.add("lv2:maximum", .integer(192_000))
    port.add(
      "lv2:portProperty", "lv2:reportsLatency", "lv2:integer", "pprops:notOnGUI")
    port.add("lv2:designation", "lv2:latency")
    port.add("units:unit", "units:frame")
    return port
  }

  var audioPorts: [TurtleProperties] {
    audioPorts(names.inputGroups, ports.audioInputs, "lv2:InputPort")
      + audioPorts(names.outputGroups, ports.audioOutputs, "lv2:OutputPort")
  }

  private func audioPorts(
    _ groups: [ChannelGroup], _ indices: Range<Int>, _ direction: TurtleTerm
  ) -> [TurtleProperties] {
    let channels = groups.flatMap { group in group.channels.map { (group, $0) } }
    return zip(indices, channels).map { index, channel in
      var port = port(index, channel.1.name, [direction, "lv2:AudioPort"])
      port.add("pg:group", .iri(uri(of: channel.0.symbol)))
      port.add("lv2:designation", channel.1.designation)
      return port
    }
  }

  /// Returns what every port has.
  func port(_ index: Int, _ name: String, _ types: [TurtleTerm]) -> TurtleProperties {
    var port = TurtleProperties(types: types)
    port.add("lv2:index", .integer(index))
    port.add("lv2:symbol", .text(names.symbols[index]))
    port.add("lv2:name", .text(name))
    return port
  }
}
