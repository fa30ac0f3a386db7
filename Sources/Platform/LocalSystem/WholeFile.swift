package import Glibc

/// Files that are read or written as a whole.
package enum WholeFile {
  /// Why a file could not be read or written.
  package struct Failure: Error, Equatable, Sendable {
    /// An `errno`; `EFBIG` for a file that is longer than was allowed.
    package let code: CInt

    package init(code: CInt) { self.code = code }
  }

  /// - Parameter limit: The most bytes that the file may have.
  /// - Returns: `nil` where there is no such file.
  /// - Throws: Also when it is a folder, a pipe or a device, which might keep the reader waiting.
  package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8]? {
    let descriptor = open(path.platformString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw Failure(code: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) != 0 { throw Failure(code: errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw Failure(code: EISDIR) }
    if status.st_mode & S_IFMT != S_IFREG { throw Failure(code: EINVAL) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = Glibc.read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw Failure(code: errno) }
      if count == 0 { return bytes }
      bytes += block[..<count]
      if bytes.count > limit { throw Failure(code: EFBIG) }
    }
  }

  /// Replaces what is at `path` in one step: a reader finds the old bytes or the new, and so does
  /// whoever starts the machine again after a power cut.
  ///
  /// - Parameter mode: The new file's permissions, less the umask.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t = 0o666
  ) throws(Failure) {
    let chance = String(UInt32.random(in: 0 ... .max), radix: 36)
    // Hidden, so that nobody who looks through the folder takes it for a file of its own.
    let temporary = "\(path.folderAndName.folder).\(getpid())-\(chance).partial"
    let descriptor = open(temporary.platformString, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    if descriptor < 0 { throw Failure(code: errno) }
    defer { close(descriptor) }
    if writeAll(bytes, descriptor), fsync(descriptor) == 0,
      rename(temporary.platformString, path.platformString) == 0
    {
      return
    }
    let code = errno
    unlink(temporary.platformString)
    throw Failure(code: code)
  }

  /// - Returns: Whether all was taken; else `errno` says why not.
  private static func writeAll(_ bytes: [UInt8], _ descriptor: CInt) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(descriptor, part.baseAddress, part.count)
        if count < 0, errno != EINTR { return false }
        rest = rest.dropFirst(max(count, 0))
      }
      return true
    }
  }
}
