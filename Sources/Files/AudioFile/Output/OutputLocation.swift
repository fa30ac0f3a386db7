import Glibc
import LocalSystem

/// The destination of a file: a name in a folder, with rules.
///
/// If the rules name a root, the folder is held open, so that it remains the same folder until the file has its name,
/// even if other programs change the path meanwhile.
final class OutputLocation {
  /// The path for messages. Without a root, symbolic links are resolved, so that their target is replaced.
  let path: String
  private let rules: OutputRules
  /// `AT_FDCWD` if ``name`` is a path.
  private let folder: CInt
  private let name: [CChar]

  /// The kind of file that exists at the location.
  enum Occupant {
    case nothing, file, device
  }

  init(_ path: String, _ rules: OutputRules) throws(AudioFileError) {
    self.rules = rules
    guard let root = rules.root else {
      self.path = resolvedPath(path) ?? path
      folder = AT_FDCWD
      name = self.path.platformString
      return
    }
    self.path = path
    let parts = path.pathParts.filter { $0 != "." }
    let below = parts.dropFirst(root.pathParts.count { $0 != "." })
    guard let last = below.last, last != ".." else { throw .outside(path: path, folder: root) }
    name = last.platformString
    do throws(WholeFile.Failure) {
      folder = try Folder.open(below.dropLast(), below: root)
    } catch {
      if error.code == ELOOP || error.code == EINVAL { throw .outside(path: path, folder: root) }
      throw .cannotCreate(path: path, code: error.code)
    }
  }

  deinit {
    if folder != AT_FDCWD { close(folder) }
  }

  /// Returns what exists at the location. Throws if it must not be replaced.
  func occupant() throws(AudioFileError) -> Occupant {
    var status = stat()
    if fstatat(folder, name, &status, rules.root == nil ? 0 : AT_SYMLINK_NOFOLLOW) != 0 {
      if errno == ENOENT { return .nothing }
      throw .cannotCreate(path: path, code: errno)
    }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFLNK, let root = rules.root { throw .outside(path: path, folder: root) }
    if kind == S_IFDIR { throw .cannotCreate(path: path, code: EISDIR) }
    if faccessat(folder, name, W_OK, 0) != 0 { throw .cannotCreate(path: path, code: errno) }
    if kind != S_IFREG { return .device }
    if status.st_size > 0, !rules.mayReplace(path, isOwn) { throw .alreadyExists(path: path) }
    return .file
  }

  /// Whether the existing file is unchanged since Portative wrote it.
  private var isOwn: Bool {
    let descriptor = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | noFollow)
    if descriptor < 0 { return false }
    defer { close(descriptor) }
    return WrittenMark.isValid(on: descriptor)
  }

  private var noFollow: CInt { rules.root == nil ? 0 : O_NOFOLLOW }

  /// - Returns: A descriptor; below 0 on failure, with `errno` set.
  func openDevice() -> CInt { openat(folder, name, O_WRONLY | O_CLOEXEC | noFollow) }

  /// Creates a file without a name in the folder.
  ///
  /// - Returns: A descriptor; below 0 if such files cannot be created here, or could not be linked later.
  func openUnnamed() -> CInt {
    if access("/proc/self/fd", X_OK) != 0 { return -1 }
    let directory = folder == AT_FDCWD ? OutputFile.folder(of: path).platformString : [46, 0]
    return openat(folder, directory, O_WRONLY | TemporaryFile.unnamed | O_CLOEXEC, 0o666)
  }

  /// A file with a temporary name in the same folder.
  struct Temporary {
    fileprivate let name: [CChar]

    /// The path, if the location has no root.
    var path: String {
      name.withUnsafeBufferPointer { $0.baseAddress.map { String(platformString: $0) } ?? "" }
    }
  }

  /// - Returns: The name and a descriptor, which is below 0 on failure.
  func openTemporary() -> (Temporary, CInt) {
    let temporary = temporary()
    // Created with the final mode, 0666 minus the umask, because reading the umask is not thread-safe.
    return (
      temporary,
      openat(folder, temporary.name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    )
  }

  /// Returns a hidden name that is unique by process and random number, so that two programs can write to one path.
  private func temporary() -> Temporary {
    let bytes = name.dropLast()
    let start = bytes.lastIndex(of: 47).map { $0 + 1 } ?? 0
    let chance = String(UInt32.random(in: 0 ... .max), radix: 36)
    var hidden = Array(bytes[..<start])
    hidden += Self.temporaryStart(bytes[start...], of: getpid())
    hidden += "\(chance).partial".platformString
    return Temporary(name: hidden)
  }

  /// Returns the beginning of the temporary names of a file.
  private static func temporaryStart(_ name: ArraySlice<CChar>, of process: pid_t) -> [CChar] {
    // The longest name is 255 bytes; our suffix has at most 34.
    [46] + name.prefix(200) + ".\(process)-".platformString.dropLast()
  }

  /// Whether a name is a temporary one that a process has made for a file, or for any file if `file` is `nil`.
  static func isTemporary(_ name: String, for file: String?, of process: pid_t) -> Bool {
    guard name.hasPrefix("."), name.hasSuffix(".partial") else { return false }
    if let file {
      return name.platformString.starts(
        with: temporaryStart(file.platformString.dropLast(), of: process))
    }
    let parts = name.split(separator: ".")
    return parts.count > 2 && parts[parts.count - 2].hasPrefix("\(process)-")
  }

  func remove(_ temporary: Temporary) { unlinkat(folder, temporary.name, 0) }

  /// Links a file without a name at the location.
  ///
  /// - Returns: Whether this succeeded; otherwise `errno` is set.
  func link(_ descriptor: CInt) throws(AudioFileError) -> Bool {
    let own = "/proc/self/fd/\(descriptor)"
    if linkat(AT_FDCWD, own, folder, name, AT_SYMLINK_FOLLOW) == 0 { return true }
    guard errno == EEXIST else { return false }
    // Unlike rename(), link() does not replace an existing file.
    let temporary = temporary()
    guard linkat(AT_FDCWD, own, folder, temporary.name, AT_SYMLINK_FOLLOW) == 0 else {
      return false
    }
    return try rename(temporary)
  }

  /// Renames a temporary file to the location. The temporary name is removed in any case.
  ///
  /// - Returns: Whether this succeeded; otherwise `errno` is set.
  func rename(_ temporary: Temporary) throws(AudioFileError) -> Bool {
    do throws(AudioFileError) {
      // Another program may have created a file there since the first check.
      _ = try occupant()
    } catch {
      remove(temporary)
      throw error
    }
    if renameat(folder, temporary.name, folder, name) == 0 { return true }
    let code = errno
    remove(temporary)
    errno = code
    return false
  }

  /// Reports that the file is at its path.
  func didWrite() { rules.didWrite(path) }
}
