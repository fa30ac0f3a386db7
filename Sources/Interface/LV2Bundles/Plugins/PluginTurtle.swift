import LocalSystem
import NodeDirectory
import PluginBundle
import RenderCore

/// The description of a plugin in Turtle.
struct PluginTurtle {
  let plugin: PluginDescription
  let names: PluginPortNames
  let ports: PluginPorts

  init(_ plugin: PluginDescription) {
    self.plugin = plugin
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
    properties.add("lv2:extensionData", "state:interface")
    let writable = plugin.properties.map { TurtleTerm.iri($0.uri) }
    if !writable.isEmpty { properties.add("patch:writable", writable) }
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
