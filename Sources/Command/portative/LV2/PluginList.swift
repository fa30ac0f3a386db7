import PluginBundles
import NodeProtocol

/// The plugins that are installed or could be, as text for users and JSON for programs.
struct PluginList {
  private let entries: [Entry]

  enum State: String, Encodable {
    case installed
    /// The port has another name, version or tags than when the plugin was installed, or its SoundFont other presets.
    case outdated
    /// No node has the port.
    case portMissing
    /// The shared object does not exist.
    case libraryMissing
    case notInstalled

    fileprivate var text: String {
      switch self {
      case .installed: "installed"
      case .outdated: "outdated: install it again"
      case .portMissing: "its port is missing"
      case .libraryMissing: "its shared object is missing"
      case .notInstalled: "not installed"
      }
    }
  }

  private struct Entry: Encodable {
    var name: String
    var uri: String
    var node: String
    var state: State
    /// The path of the bundle; absent if the plugin is not installed.
    var bundle: String?
    /// Absent for a plugin whose port the user selects.
    var port: PortDescription?
  }

  /// - Parameters:
  ///   - bundles: The installed bundles, the first of which take precedence.
  ///   - components: The components of a ``ComponentRegistry``.
  init(_ bundles: [InstalledBundle], _ components: [Component]) {
    let expected = ExpectedPresets(of: Set(bundles.map(\.node)))
    let installed = bundles.flatMap { bundle in
      bundle.bundledPlugins.map { plugin in
        let isOutdated = expected.soundFont(missingFrom: plugin, of: bundle.node) != nil
        let state = Self.state(of: plugin.description, in: bundle, components)
        return Entry(
          name: plugin.description.name, uri: plugin.description.uri, node: bundle.node,
          state: state == .installed && isOutdated ? .outdated : state, bundle: bundle.path,
          port: plugin.description.port)
      }
    }
    let uris = Set(installed.map(\.uri))
    let others = components.filter(\.canBeLaunched).map { component in
      Entry(
        name: component.port.name, uri: PluginURI.plugin(for: component.port.component),
        node: component.node, state: .notInstalled, port: component.port)
    }
    entries = installed + others.filter { !uris.contains($0.uri) }
  }

  private static func state(
    of plugin: PluginDescription, in bundle: InstalledBundle, _ components: [Component]
  ) -> State {
    if !bundle.hasLibrary { return .libraryMissing }
    guard let port = plugin.port else { return .installed }
    let found = components.filter { $0.port.component == port.component }
    guard let component = found.first(where: { $0.node == bundle.node }) ?? found.first else {
      return .portMissing
    }
    return component.port.isSame(as: port) ? .installed : .outdated
  }

  var text: OutputText {
    if entries.isEmpty { return OutputText(verbatim: ComponentList.none + "\n") }
    let rows = entries.map { entry in
      [entry.name, entry.uri, entry.node, entry.state.text, entry.bundle ?? "-"]
    }
    return Columns.table(["PLUGIN", "URI", "NODE", "STATE", "BUNDLE"], rows)
  }

  /// One line for each plugin.
  var jsonLines: OutputText { entries.map { JSONOutput.lv2.line($0) }.joined() }
}

extension PortDescription {
  /// Returns whether the descriptions are the same, apart from the order of the tags.
  fileprivate func isSame(as other: PortDescription) -> Bool {
    component == other.component && name == other.name && version == other.version
      && Set(tags) == Set(other.tags)
  }
}
