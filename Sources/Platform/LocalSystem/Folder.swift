package import Glibc

package enum Folder {
  /// Returns the names of a folder's entries, in the order of their bytes; `nil` if the folder does not exist.
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

  /// Creates a folder and its parent folders if they do not exist.
  ///
  /// - Parameter mode: The permissions of new folders, less the umask.
  package static func create(_ path: String, mode: mode_t) throws(WholeFile.Failure) {
    if mkdir(path.platformString, mode) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastSlash, slash > path.startIndex else {
      throw WholeFile.Failure(code: errno)
    }
    try create(String(path[..<slash]), mode: mode)
    // Another process may have created it in between.
    if mkdir(path.platformString, mode) != 0, errno != EEXIST {
      throw WholeFile.Failure(code: errno)
    }
  }
}
