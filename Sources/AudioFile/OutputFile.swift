import Glibc
import LocalSystem

/// Where bytes go: a file that appears at its path only when it is whole, or a stream.
///
/// A file has no name until ``commit()`` gives it one: a program that dies, however it dies, leaves
/// nothing behind. Where the file system cannot do that, or the bytes shall outlive such a death, it
/// has a temporary name beside its destination. One that is not committed goes with the last
/// reference. A stream (standard output,
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
  /// `nil` for a stream, and for a file without a name.
  private var temporaryPath: String?
  private let closes: Bool

  /// Opens a file that will replace what is at `path`, or the device or FIFO that is there.
  ///
  /// - Parameter survives: Whether what was written is left under its temporary name if the program is
  ///   killed.
  package init(path: String, survives: Bool = false) throws(AudioFileError) {
    var status = stat()
    // A link is followed, so that its target is replaced and not the link.
    self.path = resolvedPath(path) ?? path
    closes = true
    if stat(self.path.platformString, &status) == 0 {
      let kind = status.st_mode & S_IFMT
      if kind == S_IFDIR { throw .cannotCreate(path: path, code: EISDIR) }
      if access(self.path.platformString, W_OK) != 0 {
        throw .cannotCreate(path: path, code: errno)
      }
      if kind != S_IFREG {
        isStream = true
        temporaryPath = nil
        descriptor = open(self.path.platformString, O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { throw .cannotCreate(path: path, code: errno) }
        return
      }
    } else if errno != ENOENT {
      throw .cannotCreate(path: path, code: errno)
    }
    isStream = false
    let unnamed = survives ? -1 : Self.openUnnamed(in: Self.folder(of: self.path))
    if unnamed >= 0 {
      descriptor = unnamed
    } else {
      let temporary = Self.temporaryName(beside: self.path)
      temporaryPath = temporary
      // Created with its final mode, 0666 less the umask: reading the umask is not thread-safe.
      descriptor = open(temporary.platformString, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
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

  /// - Returns: Below 0 where such files cannot be made, or could not be named.
  private static func openUnnamed(in folder: String) -> CInt {
    access("/proc/self/fd", X_OK) == 0
      ? TemporaryFile.openUnnamed(in: folder, O_WRONLY, mode: 0o666) : -1
  }

  /// The folder that a path is in.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastSlash else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Hidden, and told apart by process and chance, so that two programs may write to one path.
  private static func temporaryName(beside path: String) -> String {
    let (folder, name) = path.folderAndName
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

  /// Brings all that was written to the disk, so that a full one or a lost server is reported here and
  /// not never. Nothing may be written after it.
  package func sync() throws(AudioFileError) {
    if failure == 0, !isStream, !isSynced, fsync(descriptor) != 0 { failure = errno }
    if let error { throw error }
    isSynced = true
  }
  private var isSynced = false

  /// Makes the file appear at its path, on the disk and whole.
  ///
  /// It is synced before it is named, so that a power cut leaves the old file or the new one.
  package func commit() throws(AudioFileError) {
    try sync()
    if !isStream, !appear() { failure = errno }
    if let error { throw error }
    isCommitted = true
  }

  /// - Returns: Whether the file is at its path; else `errno` says why not.
  private func appear() -> Bool {
    if temporaryPath == nil {
      let own = "/proc/self/fd/\(descriptor)"
      if linkat(AT_FDCWD, own, AT_FDCWD, path.platformString, AT_SYMLINK_FOLLOW) == 0 {
        return true
      }
      guard errno == EEXIST else { return false }
      // A link replaces nothing; renaming does.
      let temporary = Self.temporaryName(beside: path)
      guard linkat(AT_FDCWD, own, AT_FDCWD, temporary.platformString, AT_SYMLINK_FOLLOW) == 0 else {
        return false
      }
      temporaryPath = temporary
    }
    return temporaryPath.map { rename($0.platformString, path.platformString) == 0 } ?? false
  }

  private var isCommitted = false

  deinit {
    if let temporaryPath, !isCommitted { unlink(temporaryPath.platformString) }
    if closes { close(descriptor) }
  }
}
