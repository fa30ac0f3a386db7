import Glibc
import LocalSystem

/// Where a file is going to be: a name in a folder, under rules.
///
/// Where the rules name a root, the folder is held open, so that it stays the same folder until the file has its
/// name, whatever others do to the path meanwhile.
final class OutputPlace {
  /// As messages call it. Without a root links have been followed, so that their target is replaced.
  let path: String
  private let rules: OutputRules
  /// `AT_FDCWD` where ``name`` is a path.
  private let folder: CInt
  private let name: [CChar]

  /// What is at the place already.
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

  /// Looks at what is there, and refuses what must not be replaced.
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
    if status.st_size > 0, !rules.mayReplace(path, isOwn) { throw .inTheWay(path: path) }
    return .file
  }

  /// Whether the file that is there is as we have written it.
  private var isOwn: Bool {
    let descriptor = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | noFollow)
    if descriptor < 0 { return false }
    defer { close(descriptor) }
    return WrittenMark.isValid(on: descriptor)
  }

  private var noFollow: CInt { rules.root == nil ? 0 : O_NOFOLLOW }

  /// - Returns: Below 0 where it cannot be; `errno` says why.
  func openDevice() -> CInt { openat(folder, name, O_WRONLY | O_CLOEXEC | noFollow) }

  /// Makes a file without a name in the folder.
  ///
  /// - Returns: Below 0 where such files cannot be made, or could not be named.
  func openUnnamed() -> CInt {
    if access("/proc/self/fd", X_OK) != 0 { return -1 }
    let place = folder == AT_FDCWD ? OutputFile.folder(of: path).platformString : [46, 0]
    return openat(folder, place, O_WRONLY | TemporaryFile.unnamed | O_CLOEXEC, 0o666)
  }

  /// A file of the temporary name beside the place.
  struct Temporary {
    fileprivate let name: [CChar]
  }

  /// - Returns: A descriptor, below 0 where it cannot be made.
  func openTemporary() -> (Temporary, CInt) {
    let temporary = temporary()
    // Created with its final mode, 0666 less the umask: reading the umask is not thread-safe.
    return (
      temporary,
      openat(folder, temporary.name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    )
  }

  /// Hidden, and told apart by process and chance, so that two programs may write to one path.
  private func temporary() -> Temporary {
    let bytes = name.dropLast()
    let start = bytes.lastIndex(of: 47).map { $0 + 1 } ?? 0
    let chance = String(UInt32.random(in: 0 ... .max), radix: 36)
    // 255 bytes is the longest name; the rest of ours takes at most 34.
    return Temporary(
      name: Array(bytes[..<start]) + [46] + bytes[start...].prefix(200)
        + ".\(getpid())-\(chance).partial".platformString)
  }

  func remove(_ temporary: Temporary) { unlinkat(folder, temporary.name, 0) }

  /// Gives a file without a name that of the place.
  ///
  /// - Returns: Whether it has it; else `errno` says why not.
  func give(name of: CInt) throws(AudioFileError) -> Bool {
    let own = "/proc/self/fd/\(of)"
    if linkat(AT_FDCWD, own, folder, name, AT_SYMLINK_FOLLOW) == 0 { return true }
    guard errno == EEXIST else { return false }
    // A link replaces nothing; renaming does.
    let temporary = temporary()
    guard linkat(AT_FDCWD, own, folder, temporary.name, AT_SYMLINK_FOLLOW) == 0 else {
      return false
    }
    return try give(name: temporary)
  }

  /// - Returns: Whether it has it; else `errno` says why not. The temporary name is gone in any case.
  func give(name temporary: Temporary) throws(AudioFileError) -> Bool {
    do throws(AudioFileError) {
      // Somebody may have put a file there since it was looked at.
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

  /// The file is there.
  func didWrite() { rules.didWrite(path) }
}
