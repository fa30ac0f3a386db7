package import LocalSystem

/// The folders in which hosts look for LV2 bundles.
package enum PluginFolders {
  /// The folder of the user's own bundles; `nil` without a home folder.
  package static func user(_ environment: ProcessEnvironment = .current) -> String? {
    environment.variable("HOME").map { "\($0)/.lv2" }
  }

  /// All folders, the first of which takes precedence: those of `LV2_PATH`, or otherwise the user's and the system's.
  package static func all(_ environment: ProcessEnvironment = .current) -> [String] {
    if let path = environment.variable("LV2_PATH") {
      return path.split(separator: ":").map { environment.path(String($0), relativeTo: ".") }
    }
    let program = environment.prefix.map { $0 + "/lib/lv2" }
    let system = ["/usr/local/lib/lv2", "/usr/lib/lv2"].map { environment.root + $0 }
    var folders: [String] = []
    for folder in [user(environment), program].compactMap(\.self) + system
    where !folders.contains(folder) {
      folders.append(folder)
    }
    return folders
  }
}
