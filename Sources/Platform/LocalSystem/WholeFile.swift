package import Glibc

/// Reads and writes whole files.
package enum WholeFile {
  /// The reason why a file could not be read or written.
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// An `errno`; `EFBIG` for a file that is longer than the limit.
    package let code: CInt
    /// The reason, if ``code`` alone does not give it.
    private let reason: String?

    package init(code: CInt) {
      self.code = code
      reason = nil
    }

    /// A regular file could not be opened.
    init(opening code: CInt) {
      self.code = code
      let text = RegularFile.reason(code)
      reason = text == errnoDescription(code) ? nil : text
    }

    /// The file was not written, because it would be longer than what is read.
    init(length: Int, limit: Int) {
      code = EFBIG
      reason =
        "it would have \(length) bytes, but can have at most \(limit): remove something from it first"
    }

    package var description: String { reason ?? errnoDescription(code) }
  }

  /// Reads a regular file.
  ///
  /// - Parameters:
  ///   - limit: The maximum length of the file in bytes.
  ///   - isSecret: Whether a file to which other users have any access is refused, with `EPERM`.
  ///   - followsLinks: Whether the file may be a symbolic link. See ``RegularFile``.
  /// - Returns: `nil` if the file does not exist.
  /// - Throws: ``Failure``; also if the file is a folder, a pipe or a device, because reading these could block.
  package static func read(
    _ path: String, limit: Int, isSecret: Bool = false, followsLinks: Bool = true
  ) throws(Failure) -> [UInt8]? {
    let descriptor: CInt
    do throws(Failure) {
      descriptor = try RegularFile.open(path, O_RDONLY, followsLinks: followsLinks)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) != 0 { throw Failure(code: errno) }
    if isSecret, status.st_mode & 0o077 != 0 { throw Failure(code: EPERM) }
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

  /// Creates or replaces a file atomically: a reader finds either the old or the new contents, also after a power
  /// failure.
  ///
  /// - Parameter mode: The permissions of the new file, less the umask.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t = 0o666
  ) throws(Failure) {
    let random = String(UInt32.random(in: 0 ... .max), radix: 36)
    // A hidden name, so that programs that search the folder ignore the file.
    let temporary = "\(path.folderAndName.folder).\(getpid())-\(random).partial"
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

  /// - Returns: Whether all bytes were written; if not, `errno` is set.
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
