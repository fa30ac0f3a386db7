package import Glibc

package enum Folder {
  /// The names of what is in a folder, in the order of their bytes; `nil` where there is no such folder.
  package static func names(in path: String) throws(WholeFile.Failure) -> [String]? {
    guard let directory = opendir(path.platformString) else {
      if errno == ENOENT { return nil }
      throw WholeFile.Failure(code: errno)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(platformString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Makes a folder, and those above it, where they are not there.
  ///
  /// - Parameter mode: The new folders' permissions, less the umask.
  package static func create(_ path: String, mode: mode_t) throws(WholeFile.Failure) {
    if mkdir(path.platformString, mode) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastSlash, slash > path.startIndex else {
      throw WholeFile.Failure(code: errno)
    }
    try create(String(path[..<slash]), mode: mode)
    // Another process may have been as quick.
    if mkdir(path.platformString, mode) != 0, errno != EEXIST {
      throw WholeFile.Failure(code: errno)
    }
  }
}
