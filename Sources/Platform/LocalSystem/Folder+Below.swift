package import Glibc

extension Folder {
  /// Opens a folder below another one. No symbolic link below the root is followed, so that nobody who can write
  /// there can lead the caller elsewhere, not even while this runs.
  ///
  /// - Parameters:
  ///   - parts: The names on the way, without `.` and `..`.
  ///   - root: It may be a link, and be reached through links.
  ///   - mode: Permissions of folders that are missing, less the umask; `nil`: none are made, not even the root.
  /// - Returns: A descriptor (`O_PATH`) to be closed by the caller.
  /// - Throws: `ELOOP` for a symbolic link on the way, `EINVAL` for `..`.
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
        // For a link the system reports that it is no folder.
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

  /// Leaves `errno` as it is.
  private static func isLink(_ name: [CChar], in folder: CInt) -> Bool {
    let code = errno
    defer { errno = code }
    var status = stat()
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFLNK
  }
}

// A macro that Swift does not see.
private let O_PATH: CInt = 0o10000000
