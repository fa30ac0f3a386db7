import Glibc
import LocalSystem

extension NodeManifest {
  /// Returns the manifest of a node: the first with its name, so that a manifest of the user hides one of the system.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: ``ManifestError`` when the manifest is unusable. A manifest that it hides is not used instead, because
  ///   that one may start another program.
  public static func find(
    _ name: String, in directories: NodeDirectories
  ) throws(ManifestError) -> NodeManifest? {
    for folder in directories.manifests {
      if let manifest = try read("\(folder)/\(name).json") { return manifest }
    }
    return nil
  }

  /// Returns the manifests of all nodes, sorted by name, and the problems of unusable ones.
  static func all(
    in directories: NodeDirectories
  ) -> (manifests: [NodeManifest], problems: [ComponentProblem]) {
    var files: [String: String] = [:]
    var problems: [ComponentProblem] = []
    for folder in directories.manifests {
      do {
        for name in try Folder.names(in: folder, suffix: ".json") where files[name] == nil {
          files[name] = "\(folder)/\(name).json"
        }
      } catch {
        problems.append(ComponentProblem(path: folder, message: error.description))
      }
    }
    var manifests: [NodeManifest] = []
    for (_, file) in files.sorted(by: { $0.key < $1.key }) {
      do {
        if let manifest = try read(file) { manifests.append(manifest) }
      } catch {
        problems.append(ComponentProblem(path: file, message: error.description))
      }
    }
    return (manifests, problems)
  }
}
