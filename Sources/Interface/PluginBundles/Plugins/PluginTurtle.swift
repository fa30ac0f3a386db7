import LocalSystem
import NodeHost
import NodeProtocol
package import RenderCore

/// The description of a plugin in Turtle.
struct PluginTurtle {
  let plugin: PluginDescription
  /// The URI of the user interface.
  let window: String
  let names: PluginPortNames
  let ports: PluginPorts

  init(_ plugin: PluginDescription, window: String) {
    self.plugin = plugin
    self.window = window
    names = PluginPortNames(plugin)
    ports = PluginPorts(plugin)
  }

  /// Adds the plugin, its maker and its groups of ports.
  func write(to document: inout TurtleDocument) {
    document.add(plugin.uri, properties)
    for group in names.inputGroups {
      document.add(uri(of: group.symbol), Self.properties(of: group, "pg:InputGroup"))
    }
    for group in names.outputGroups {
      var properties = Self.properties(of: group, "pg:OutputGroup")
      if let input = mainInput { properties.add("pg:source", .iri(input)) }
      document.add(uri(of: group.symbol), properties)
    }
    for group in plugin.parameters.groups {
      guard let symbol = names.parameterGroups[group.identifier] else { continue }
      var properties = TurtleProperties(types: ["pg:InputGroup"])
      properties.add("lv2:symbol", .text(symbol))
      properties.add("lv2:name", .text(group.name))
      document.add(uri(of: symbol), properties)
    }
    for (uri, parameter) in zip(plugin.parameterURIs, plugin.parameters.parameters) {
      var properties = TurtleProperties(types: ["lv2:Parameter"])
      properties.add("rdfs:label", .text(plugin.parameters.title(of: parameter)))
      properties.add("rdfs:range", "atom:Float")
      document.add(uri, properties)
    }
  }

  private var properties: TurtleProperties {
    var properties = TurtleProperties(types: plugin.classes)
    properties.add("doap:name", .text(plugin.name))
    // The licence of the shared object. That of the node is unknown, and it is another program.
    properties.add("doap:license", .iri("http://opensource.org/licenses/MIT"))
    properties.add("lv2:project", .resource(project))
    properties.add("lv2:minorVersion", .integer(plugin.version.minor))
    properties.add("lv2:microVersion", .integer(plugin.version.micro))
    properties.add("lv2:requiredFeature", "urid:map")
    properties.add(
      "lv2:optionalFeature", "lv2:hardRTCapable", "bufsz:boundedBlockLength", "log:log",
      "opts:options", "state:threadSafeRestore")
    properties.add("opts:supportedOption", "bufsz:maxBlockLength")
    properties.add(
      "lv2:extensionData",
      ["state:interface"]
        + (plugin.type == .instrument ? [.iri(PluginURI.midiNames)] : []))
    let writable = plugin.properties.map { TurtleTerm.iri($0.uri) }
    if !writable.isEmpty { properties.add("patch:writable", writable) }
    properties.add("ui:ui", .iri(window))
    if let input = mainInput { properties.add("pg:mainInput", .iri(input)) }
    // No pair of several is the main one.
    if names.outputGroups.count == 1 {
      properties.add("pg:mainOutput", .iri(uri(of: names.outputGroups[0].symbol)))
    }
    let ports = fixedPorts + audioPorts + parameterPorts
    properties.add("lv2:port", ports.map(TurtleTerm.resource))
    return properties
  }

  private var project: TurtleProperties {
    let maker = plugin.port?.maker ?? "Portative"
    var person = TurtleProperties(types: ["foaf:Person"])
    person.add("foaf:name", .text(maker))
    var project = TurtleProperties(types: ["doap:Project"])
    project.add("doap:name", .text(maker))
    project.add("doap:maintainer", .resource(person))
    return project
  }

  private var mainInput: String? {
    names.inputGroups.count == 1 ? uri(of: names.inputGroups[0].symbol) : nil
  }

  /// Returns the URI of a group of ports.
  func uri(of group: String) -> String { "\(plugin.uri)#\(group)" }

  private static func properties(
    of group: ChannelGroup, _ direction: TurtleTerm
  ) -> TurtleProperties {
    var properties = TurtleProperties(types: [
      group.isStereo ? "pg:StereoGroup" : "pg:MonoGroup", direction,
    ])
    properties.add("lv2:symbol", .text(group.symbol))
    properties.add("lv2:name", .text(group.name))
    return properties
  }
}

extension PluginDescription {
  /// The version in LV2's two numbers, which are compared like the port's three. LV2 has no major version, because a
  /// plugin with another one has another URI.
  fileprivate var version: (minor: Int, micro: Int) {
    let version = port?.version ?? (try? SemanticVersion(portativeVersion))
    guard let version else { return (0, 0) }
    return (
      min(version.major, 1_000_000) * 1000 + min(version.minor, 999), min(version.patch, 999_999)
    )
  }
}

// The ports that every plugin has, and those of its audio.
extension PluginTurtle {
  /// The size in bytes of the buffers of events: that of the longest System Exclusive message and of some more events.
  private static var bufferSize: Int { Connection.longestSysEx + 16_384 }

  private var fixedPorts: [TurtleProperties] {
    [events, notifications, freewheel, enabled, latency]
  }

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

  private var audioPorts: [TurtleProperties] {
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

// A control port for each parameter.
extension PluginTurtle {
  private var parameterPorts: [TurtleProperties] {
    zip(ports.parameters, plugin.parameters.parameters).map(parameterPort)
  }

  private func parameterPort(_ index: Int, _ parameter: Parameter) -> TurtleProperties {
    let title = plugin.parameters.title(of: parameter)
    var port = port(index, title, ["lv2:InputPort", "lv2:ControlPort"])
    // Hosts may also set the parameter on a frame, by a message.
    port.add("lv2:designation", .iri(uri(of: names.symbols[index])))
    port.add("lv2:default", .number(parameter.defaultValue))
    port.add("lv2:minimum", .number(parameter.minimum))
    port.add("lv2:maximum", .number(parameter.maximum))
    port.add("lv2:portProperty", Self.properties(of: parameter))
    port.add("lv2:scalePoint", Self.scalePoints(of: parameter).map(TurtleTerm.resource))
    if let unit = parameter.unit.term { port.add("units:unit", unit) }
    if let group = parameter.group.flatMap({ names.parameterGroups[$0] }) {
      port.add("pg:group", .iri(uri(of: group)))
    }
    return port
  }

  private static func properties(of parameter: Parameter) -> [TurtleTerm] {
    var properties: [TurtleTerm] = []
    if parameter.unit == .toggle {
      properties.append("lv2:toggled")
    } else if parameter.isStepped {
      properties.append("lv2:integer")
      if !parameter.valueNames.isEmpty { properties.append("lv2:enumeration") }
    }
    if parameter.scale == .logarithmic { properties.append("pprops:logarithmic") }
    return properties
  }

  private static func scalePoints(of parameter: Parameter) -> [TurtleProperties] {
    if parameter.unit == .toggle { return [] }
    return parameter.valueNames.enumerated().map { offset, name in
      var point = TurtleProperties()
      point.add("rdfs:label", .text(name))
      point.add("rdf:value", .number(parameter.minimum + Float(offset)))
      return point
    }
  }
}

extension ParameterTree {
  /// Returns the name of a parameter in hosts, which show no groups: *Reverb Level* and not *Level*. It is not empty.
  package func title(of parameter: Parameter) -> String {
    let name = parameter.name.isEmpty ? parameter.identifier : parameter.name
    guard let group = groups.first(where: { $0.identifier == parameter.group })?.name,
      !name.lowercased().hasPrefix(group.lowercased())
    else { return name }
    return "\(group) \(name)"
  }
}

extension Parameter.Unit {
  /// The unit in LV2; `nil` if LV2 has none.
  fileprivate var term: TurtleTerm? {
    switch self {
    case .decibels: "units:db"
    case .milliseconds: "units:ms"
    case .seconds: "units:s"
    case .beats: "units:beat"
    case .hertz: "units:hz"
    case .percent: "units:pc"
    case .cents: "units:cent"
    case .semitones: "units:semitone12TET"
    case .none, .index, .toggle: nil
    }
  }
}
