import Configuration
import PluginBundles
import LivePlayer
import LocalSystem
import NodeHost
import NodeProtocol
import Synchronization

/// The installation of a bundle for each of several nodes.
struct PluginInstallation {
  let folder: BundleFolder
  /// The absolute path of the shared object.
  let library: String
  /// Whether presets of SoundFonts are left out.
  var omitsSoundFonts = false
  /// Whether nothing is written to standard output.
  var isQuiet = false

  /// Installs the bundles. A node that fails does not stop the others.
  ///
  /// - Parameter names: The names of the nodes; empty for all that have a manifest.
  /// - Returns: The exit code of the first failure.
  func run(_ names: [String]) throws -> ExitCode {
    let contents = ComponentRegistry().contents()
    for problem in contents.problems { Terminal.complain(problem.message) }
    let nodes = try nodes(names, contents.components)
    var result = ExitCode.done
    for node in nodes {
      do {
        let text = try install(node, contents.components)
        if !isQuiet { try Command.write(text) }
      } catch {
        let failure = Failure(error)
        if failure.signal != nil { throw failure }
        Terminal.complain("node '\(node)': \(failure.message)")
        if result == .done { result = failure.exitCode }
      }
    }
    return result
  }

  /// Returns the nodes to install.
  private func nodes(_ names: [String], _ components: [Component]) throws(Failure) -> [String] {
    let all = Set(components.map(\.node)).sorted()
    let launchable = Set(components.filter(\.canBeLaunched).map(\.node))
    for name in names where !all.contains(name) {
      let hint = closest(to: name, among: all)
      throw .usage(
        "there is no node '\(name)': "
          + (hint.map { "did you mean '\($0)'?" }
            ?? "portative list shows the nodes in the column NODE"))
    }
    for name in names where !launchable.contains(name) {
      throw Failure(
        .failed,
        "the node '\(name)' has no manifest, so that hosts cannot start it: portative serve --install "
          + "writes one")
    }
    if !names.isEmpty { return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
    for name in all where !launchable.contains(name) {
      Terminal.note("skipping the node '\(name)', which has no manifest: hosts cannot start it")
    }
    if launchable.isEmpty {
      throw Failure(
        .failed, "there is no node that hosts can start: run portative serve --install before")
    }
    return launchable.sorted()
  }

  /// - Returns: The text for standard output.
  private func install(_ node: String, _ components: [Component]) throws -> OutputText {
    guard let manifest = try NodeManifest.find(node, in: NodeDirectories(.current)) else {
      throw Failure(.failed, "its manifest has disappeared")
    }
    // Each port of the node causes the same events.
    let notes = Mutex<Set<String>>([])
    let connector = NodeConnector(host: AudioHost(name: "portative lv2")) { event in
      if notes.withLock({ $0.insert(event.description).inserted }) {
        Terminal.note(event.description)
      }
    }
    let reader = UnitReader(readsSoundFonts: !omitsSoundFonts) { try connector.connect(to: $0) }
    let bundle = try interruptibly {
      Result { try BundleContent(of: manifest, in: components, by: reader) }
    }.get()
    let change = try folder.install(bundle, library: library)
    noteDuplicates(of: bundle)
    noteOtherSoundFont(of: bundle)
    let path = "\(folder.path)/\(bundle.folderName)"
    return change == .unchanged
      ? "\(path) is up to date\n" : "Wrote \(path): \(bundle.plugins.count) plugins\n"
  }

  /// Warns if the presets are those of a node that was started before the SoundFont was changed.
  private func noteOtherSoundFont(of bundle: BundleContent) {
    let expected = ExpectedPresets(of: [bundle.node])
    let paths = bundle.plugins.compactMap { expected.soundFont(missingFrom: $0, of: bundle.node) }
    if let path = paths.first {
      Terminal.note(
        "the node '\(bundle.node)' still plays another SoundFont than \(path): end it, and install "
          + "again")
    }
  }

  /// Warns if a plugin is also in the bundle of another node: hosts then show only one of them.
  private func noteDuplicates(of bundle: BundleContent) {
    let uris = Set(bundle.plugins.map(\.description.uri))
    for other in folder.bundles where other.node != bundle.node {
      for plugin in other.plugins where uris.contains(plugin.uri) {
        Terminal.note(
          "the nodes '\(bundle.node)' and '\(other.node)' both offer \(plugin.uri): hosts show one of "
            + "the two plugins")
      }
    }
  }
}
