package import LocalSystem
package import NodeProtocol
import PluginNodes

/// The installation of a server's node, after which hosts can start it: the user's manifest for it.
package struct NodeInstallation {
  package let manifest: NodeManifest
  private let folder: String

  /// - Throws: ``Failure`` or ``ManifestError`` if there is no folder for the manifest, or if the node's name or the
  ///   ports are invalid.
  package init(
    _ settings: ServerSettings, _ plan: ServerPlan, in environment: ProcessEnvironment = .current
  ) throws {
    guard let executable = environment.executable else {
      throw Failure(.failed, "cannot find the path of this program: mount /proc")
    }
    guard let folder = NodeDirectories(environment).manifests.first else {
      throw Failure(.failed, "there is no folder for the manifest: set HOME or XDG_DATA_HOME")
    }
    self.folder = folder
    let chains = plan.ports.filter { $0.unit == .chain }
    manifest = try NodeManifest(
      name: settings.node, command: [executable, "serve"] + settings.launchedArguments,
      ports: plan.ports.map(\.description),
      chains: Dictionary(
        uniqueKeysWithValues: chains.map {
          ($0.description.component, $0.nodes.filter { !PluginSelection.isPrefixed($0) })
        }))
  }

  /// Writes the manifest.
  ///
  /// - Returns: The path of its file.
  package func run() throws(Failure) -> String {
    do {
      try manifest.write(to: folder)
    } catch {
      throw Failure(.outputNotWritten, error.description)
    }
    return "\(folder)/\(manifest.name).json"
  }
}
