import Glibc
import LocalSystem

extension NodeManifest {
  /// The manifest of a node: the first of its name, so that a user's own hides the system's.
  ///
  /// - Returns: `nil` where there is none.
  /// - Throws: ``ManifestError`` when it is of no use; one that it hides is not taken instead, for
  ///   it may start another program.
  public static func find(
    _ name: String, in directories: NodeDirectories
  ) throws(ManifestError) -> NodeManifest? {
    for folder in directories.manifests {
      if let manifest = try read("\(folder)/\(name).json") { return manifest }
    }
    return nil
  }

  /// The manifests of all nodes, in the order of their names, and what is wrong with others.
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
