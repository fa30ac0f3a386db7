import FoundationEssentials
package import NodeProtocol

/// A bundle: the plugins of the ports of one node.
package struct BundleContent: Equatable, Sendable {
  /// The name of the node.
  package let node: String
  package let plugins: [BundledPlugin]

  /// The node of Portative's own units. Its bundle also has the plugins whose port the user selects.
  package static let builtInNode = "portative"

  package init(node: String, plugins: [BundledPlugin]) {
    self.node = node
    self.plugins = plugins
  }

  /// Reads all ports of a node.
  ///
  /// - Parameters:
  ///   - manifest: The manifest of the node.
  ///   - components: The components of a ``ComponentRegistry``.
  package init(
    of manifest: NodeManifest, in components: [Component], by reader: UnitReader
  ) throws {
    var plugins: [BundledPlugin] = []
    for component in components where component.node == manifest.name && component.canBeLaunched {
      plugins.append(try reader.read(component))
    }
    // The order of the manifest, and not that of the names.
    let order = manifest.ports.map { PluginURI.plugin(for: $0.component) }
    plugins.sort { a, b in
      (order.firstIndex(of: a.description.uri) ?? order.count)
        < (order.firstIndex(of: b.description.uri) ?? order.count)
    }
    if manifest.name == Self.builtInNode {
      plugins += [.instrument, .effect, .musicEffect].map { BundledPlugin(anyPortOf: $0) }
    }
    self.init(node: manifest.name, plugins: plugins)
  }

  /// The name of the bundle's folder.
  package var folderName: String {
    node == Self.builtInNode ? "portative.lv2" : "portative-\(node).lv2"
  }

  /// The file names of every bundle.
  enum Name {
    static let manifest = "manifest.ttl"
    static let plugins = "plugins.ttl"
    static let presets = "presets.ttl"
    /// A link to the shared object.
    static let library = "portative.so"

    static let all = [manifest, plugins, presets, library, PluginBundle.fileName]
  }

  /// The files by name, except the link to the shared object.
  package var files: [String: [UInt8]] {
    var files = [
      Name.manifest: Array(manifest.text.utf8), Name.plugins: Array(descriptions.text.utf8),
      PluginBundle.fileName: json,
    ]
    if hasPresets { files[Name.presets] = Array(presets.text.utf8) }
    return files
  }

  private var hasPresets: Bool { plugins.contains { !$0.presets.isEmpty } }

  private var manifest: TurtleDocument {
    var document = TurtleDocument()
    for plugin in plugins {
      var properties = TurtleProperties(types: ["lv2:Plugin"])
      properties.add("lv2:binary", .iri(Name.library))
      properties.add("rdfs:seeAlso", .iri(Name.plugins))
      document.add(plugin.description.uri, properties)
    }
    var window = TurtleProperties(types: ["kx:Widget"])
    window.add("ui:binary", .iri(Name.library))
    window.add("rdfs:seeAlso", .iri(Name.plugins))
    document.add(windowURI, window)
    for plugin in plugins { PresetTurtle(plugin).announce(in: &document, file: Name.presets) }
    return document
  }

  private var windowURI: String { PluginURI.window(ofNode: node) }

  /// The user interface of all plugins, which is told what the plugins send.
  private var window: TurtleProperties {
    var window = TurtleProperties(types: ["kx:Widget"])
    window.add("lv2:requiredFeature", "urid:map")
    window.add("lv2:optionalFeature", "kx:Host")
    window.add("lv2:extensionData", "ui:idleInterface", "ui:showInterface")
    window.add(
      "ui:portNotification",
      plugins.map { plugin in
        var notification = TurtleProperties()
        notification.add("ui:plugin", .iri(plugin.description.uri))
        notification.add("lv2:symbol", .text("notifications"))
        notification.add("ui:notifyType", "atom:Object")
        return .resource(notification)
      })
    return window
  }

  private var descriptions: TurtleDocument {
    var document = TurtleDocument()
    for plugin in plugins {
      PluginTurtle(plugin.description, window: windowURI).write(to: &document)
    }
    document.add(windowURI, window)
    // The extension of external user interfaces has no schema on most systems.
    var widget = TurtleProperties(types: ["rdfs:Class"])
    widget.add("rdfs:subClassOf", "ui:UI")
    document.add(PluginURI.externalWidget, widget)
    document.add(PluginURI.externalHost, TurtleProperties(types: ["lv2:Feature"]))
    if plugins.contains(where: { $0.description.type == .instrument }) {
      // Ardour's extension, which has no schema.
      document.add(PluginURI.midiNames, TurtleProperties(types: ["lv2:ExtensionData"]))
    }
    var described: Set<String> = []
    for property in plugins.flatMap(\.description.properties)
    where described.insert(property.uri).inserted {
      document.add(property.uri, property.turtle)
    }
    return document
  }

  private var presets: TurtleDocument {
    var document = TurtleDocument()
    for plugin in plugins { PresetTurtle(plugin).write(to: &document) }
    return document
  }

  private var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let presets = plugins.filter { !$0.presets.isEmpty }.map { ($0.description.uri, $0.presets) }
    let bundle = PluginBundle(
      plugins: plugins.map(\.description), presets: Dictionary(presets) { $1 }, node: node)
    // All numbers are finite: ParameterTree checks them.
    guard let data = try? encoder.encode(bundle) else { preconditionFailure("no JSON") }
    return Array(data) + [UInt8(ascii: "\n")]
  }
}

extension PluginProperty {
  fileprivate var turtle: TurtleProperties {
    var turtle = TurtleProperties(types: ["lv2:Parameter"])
    turtle.add("rdfs:label", .text(name))
    switch subject {
    case .port:
      turtle.add(
        "rdfs:comment", .text("The port to play, as portative list names it: instrument gmsy Ptvo"))
      turtle.add("rdfs:range", "atom:String")
    case .file:
      turtle.add("rdfs:range", "atom:Path")
    }
    return turtle
  }
}
