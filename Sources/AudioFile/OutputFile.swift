import Glibc

/// Where bytes go: a file that appears at its path only when it is whole, or a stream.
///
/// A file is written under a temporary name beside its destination and renamed by ``commit()``;
/// one that is not committed is removed when the last reference goes. A stream (standard output,
/// a FIFO, a device) takes bytes in order only: what is written over bytes already sent is dropped.
///
/// The first failure is kept in ``failure``, because the C library between us and the encoder does
/// not pass it on, and everything after it is refused.
package final class OutputFile {
  package let path: String
  package let isStream: Bool
  private(set) var failure: CInt = 0
  private(set) var length = 0
  var position = 0

  private let descriptor: CInt
  private let temporaryPath: String?
  private let closes: Bool

  /// Opens a file that will replace what is at `path`, or the device or FIFO that is there.
  package init(path: String) throws(AudioFileError) {
    var status = stat()
    // A link is followed, so that its target is replaced and not the link.
    let target = realpath(path, nil).map { resolved in
      defer { free(resolved) }
      return String(cString: resolved)
    }
    self.path = target ?? path
    closes = true
    if stat(self.path, &status) == 0 {
      let kind = status.st_mode & S_IFMT
      if kind == S_IFDIR { throw .cannotCreate(path: path, code: EISDIR) }
      if access(self.path, W_OK) != 0 { throw .cannotCreate(path: path, code: errno) }
      if kind != S_IFREG {
        isStream = true
        temporaryPath = nil
        descriptor = open(self.path, O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { throw .cannotCreate(path: path, code: errno) }
        return
      }
    } else if errno != ENOENT {
      throw .cannotCreate(path: path, code: errno)
    }
    isStream = false
    let temporary = Self.temporaryName(beside: self.path)
    temporaryPath = temporary
    // Created with its final mode, 0666 less the umask: reading the umask is not thread-safe.
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw .cannotCreate(path: path, code: errno) }
  }

  /// Writes to a descriptor that stays the caller's.
  package init(descriptor: CInt, name: String) {
    path = name
    self.descriptor = descriptor
    isStream = true
    temporaryPath = nil
    closes = false
  }

  /// Hidden, and told apart by process and chance, so that two programs may write to one path.
  private static func temporaryName(beside path: String) -> String {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { path[...$0] } ?? ""
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    // 255 bytes is the longest name; the rest of ours takes at most 34.
    let stem = String(decoding: name.utf8.prefix(200), as: UTF8.self)
    let chance = String(UInt32.random(in: 0 ... .max), radix: 36)
    return "\(folder).\(stem).\(getpid())-\(chance).partial"
  }

  /// Writes at ``position`` and moves it.
  ///
  /// - Returns: Whether all bytes were taken.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if isStream, position != length {
      position += bytes.count
      return true
    }
    var done = 0
    while failure == 0, done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count =
        isStream
        ? Glibc.write(descriptor, rest.baseAddress, rest.count)
        : pwrite(descriptor, rest.baseAddress, rest.count, off_t(position))
      if count > 0 {
        done += count
        position += count
        length = max(length, position)
      } else if count == 0 {
        failure = EIO
      } else if errno != EINTR {
        failure = errno
      }
    }
    return failure == 0
  }

  /// What the failure kept means to the caller.
  package var error: AudioFileError? {
    if failure == 0 { return nil }
    return failure == EPIPE ? .readerGone : .cannotWrite(path: path, code: failure)
  }

  /// Makes the file appear at its path, on the disk and whole.
  ///
  /// It is synced before it is renamed, so that a power cut leaves the old file or the new one, and
  /// so that a full disk or a lost server is reported here and not never.
  package func commit() throws(AudioFileError) {
    if let error { throw error }
    guard let temporaryPath else { return }
    if fsync(descriptor) != 0 { failure = errno }
    if failure == 0, rename(temporaryPath, path) != 0 { failure = errno }
    if let error { throw error }
    isCommitted = true
  }
  private var isCommitted = false

  deinit {
    if let temporaryPath, !isCommitted { unlink(temporaryPath) }
    if closes { close(descriptor) }
  }
}
