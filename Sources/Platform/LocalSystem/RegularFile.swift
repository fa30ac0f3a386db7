package import Glibc

/// Opens files in folders where other programs can make files, such as the runtime, state and configuration folders.
package enum RegularFile {
  /// Opens a file without waiting, and only if it is a regular file: opening a FIFO waits for its other end, and reading
  /// a device may never end.
  ///
  /// Who reads the file must limit its length. Realtime: no. Threads: any.
  ///
  /// - Parameters:
  ///   - flags: As in `open(2)`. `O_NONBLOCK` and `O_CLOEXEC` are added.
  ///   - mode: The permissions of a new file, less the umask.
  ///   - followsLinks: Whether the file may be a symbolic link. Only for files that users arrange, such as configurations.
  /// - Returns: A descriptor that the caller must close.
  /// - Throws: ``WholeFile/Failure``: `EINVAL` if it is another kind of file, `EISDIR` for a folder, `ELOOP` for a link
  ///   that is not followed.
  package static func open(
    _ path: String, _ flags: CInt, mode: mode_t = 0, followsLinks: Bool = false
  ) throws(WholeFile.Failure) -> CInt {
    let flags = flags | O_NONBLOCK | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = Glibc.open(path.platformString, flags, mode)
    // ENXIO: a socket, a device without a driver, or a FIFO without a reader.
    if descriptor < 0 { throw WholeFile.Failure(opening: errno == ENXIO ? EINVAL : errno) }
    var status = stat()
    let code = fstat(descriptor, &status) != 0 ? errno : code(of: status)
    if code == 0 { return descriptor }
    close(descriptor)
    throw WholeFile.Failure(opening: code)
  }

  private static func code(of status: stat) -> CInt {
    switch status.st_mode & S_IFMT {
    case S_IFREG: 0
    case S_IFDIR: EISDIR
    default: EINVAL
    }
  }

  /// Returns the reason why a file could not be opened or replaced.
  ///
  /// - Parameters:
  ///   - code: An `errno`, as in ``open(_:_:mode:followsLinks:)``.
  ///   - remedy: Appended if the path names something else than a regular file.
  package static func reason(_ code: CInt, remedy: String? = nil) -> String {
    let remedy = remedy.map { ": \($0)" } ?? ""
    return switch code {
    case EINVAL: "it is not a regular file\(remedy)"
    case EISDIR: "\(errnoDescription(code))\(remedy)"
    case ELOOP: "it is a symbolic link, which is not followed\(remedy)"
    default: errnoDescription(code)
    }
  }
}
