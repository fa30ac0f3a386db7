import Configuration
import LocalSystem
import NodeProtocol
import PluginBundles
import PortativeServer
import RenderCore

/// The presets that ports of `portative serve` will have when a host starts their nodes: those of the SoundFonts that the
/// configuration then names. Ports of other programs have none here.
struct ExpectedPresets {
  /// The SoundFonts of the ports, by node.
  private var soundFonts: [String: [ComponentDescription: String]] = [:]
  /// The presets of each SoundFont, as text that can be compared.
  private var presets: [String: Set<String>] = [:]

  /// Reads the manifests of nodes, their configuration and the lists of presets in their SoundFonts. What cannot be read is
  /// left out: other commands report it.
  init(of nodes: Set<String>, in environment: ProcessEnvironment = .current) {
    for node in nodes {
      soundFonts[node] = Self.soundFonts(of: node, environment)
    }
    for path in Set(soundFonts.values.flatMap(\.values)) {
      guard let listed = try? SoundFontFile.presets(of: path) else { continue }
      presets[path] = Set(listed.map { Self.text($0.bank, $0.program, $0.name) })
    }
  }

  private static func soundFonts(
    of node: String, _ environment: ProcessEnvironment
  ) -> [ComponentDescription: String] {
    guard let manifest = try? NodeManifest.find(node, in: NodeDirectories(environment)),
      manifest.command.count >= 2, manifest.command[1] == "serve",
      let options = try? ServeOptions(arguments: Array(manifest.command.dropFirst(2))),
      let plan = try? ServerPlan(
        options.settings, in: environment, skipsBrokenPorts: true, observer: NoLog())
    else { return [:] }
    return plan.soundFonts
  }

  private struct NoLog: ServerObserver {
    func log(_ message: String) {}
    func log(warning: String) {}
    func log(error: String) {}
  }

  /// Returns a preset as text. Libraries differ in the spaces that they keep of a name.
  private static func text(_ bank: Int, _ program: Int, _ name: String) -> String {
    "\(bank):\(program) " + name.printable.split(separator: " ").joined(separator: " ")
  }

  /// The SoundFont whose presets a plugin should list, if it lists others.
  func soundFont(missingFrom plugin: BundledPlugin, of node: String) -> String? {
    let listed = plugin.presets.compactMap { preset in
      preset.soundFontNumbers.map { Self.text($0.bank, $0.program, preset.name) }
    }
    guard !listed.isEmpty, let component = plugin.description.port?.component,
      let path = soundFonts[node]?[component], let expected = presets[path]
    else { return nil }
    return Set(listed) == expected ? nil : path
  }
}

extension ExpectedPresets {
  /// Returns the SoundFonts whose presets the installed plugins should list, but do not.
  ///
  /// - Parameter folders: The folders of bundles, the first of which take precedence.
  static func missingSoundFonts(
    from folders: [String] = PluginFolders.all(), in environment: ProcessEnvironment = .current
  ) -> [String] {
    let bundles = folders.flatMap { BundleFolder($0).bundles }
    let expected = ExpectedPresets(of: Set(bundles.map(\.node)), in: environment)
    var seen: Set<String> = []
    var missing: [String] = []
    for bundle in bundles {
      for plugin in bundle.bundledPlugins where seen.insert(plugin.description.uri).inserted {
        guard let path = expected.soundFont(missingFrom: plugin, of: bundle.node),
          !missing.contains(path)
        else { continue }
        missing.append(path)
      }
    }
    return missing
  }
}
