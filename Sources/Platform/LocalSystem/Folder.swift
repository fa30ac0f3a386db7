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

extension Folder {
  /// Opens a folder below another one. It follows no symbolic link below the root, so that a process that can write
  /// there cannot redirect the caller, not even during the call.
  ///
  /// - Parameters:
  ///   - parts: The names of the folders from the root down. `.` is skipped, `..` is refused.
  ///   - root: The root; it may be a symbolic link or be reached through links.
  ///   - mode: The permissions of folders that are created, less the umask; `nil`: no folder is created, not even the
  ///     root.
  /// - Returns: A descriptor (`O_PATH`) that the caller must close.
  /// - Throws: `ELOOP` for a symbolic link below the root, `EINVAL` for `..`.
  package static func open(
    _ parts: some Sequence<String>, below root: String, creating mode: mode_t? = nil
  ) throws(WholeFile.Failure) -> CInt {
    if let mode { try create(root, mode: mode) }
    let flags = O_PATH | O_DIRECTORY | O_CLOEXEC
    var folder = Glibc.open(root.platformString, flags)
    if folder < 0 { throw WholeFile.Failure(code: errno) }
    for part in parts where part != "." {
      let name = part.platformString
      if let mode, mkdirat(folder, name, mode) != 0, errno != EEXIST {
        throw failure(errno, closing: folder)
      }
      let next = part == ".." ? -1 : openat(folder, name, flags | O_NOFOLLOW)
      if next < 0 {
        // For a link, openat(2) reports ENOTDIR.
        let code = part == ".." ? EINVAL : isLink(name, in: folder) ? ELOOP : errno
        throw failure(code, closing: folder)
      }
      close(folder)
      folder = next
    }
    return folder
  }

  private static func failure(_ code: CInt, closing folder: CInt) -> WholeFile.Failure {
    close(folder)
    return WholeFile.Failure(code: code)
  }

  /// Returns whether a name is a symbolic link. Does not change `errno`.
  private static func isLink(_ name: [CChar], in folder: CInt) -> Bool {
    let code = errno
    defer { errno = code }
    var status = stat()
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFLNK
  }
}

// A macro that Swift does not import.
private let O_PATH: CInt = 0o10000000
