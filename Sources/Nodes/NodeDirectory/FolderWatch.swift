import Glibc
import LocalSystem

/// Notices what happens in folders, also in those that are yet to be made.
///
/// Until a folder is there, the nearest of those above it is watched for the next part of its path.
final class FolderWatch {
  /// Readable when something has happened.
  let descriptor: CInt

  private let folders: [String]
  private let suffixes: [String]
  private var watches: [CInt: Watch] = [:]

  /// What is looked for in one folder.
  private struct Watch {
    /// Whether files are: it is one of ``folders``.
    var isWanted = false
    /// Folders whose making brings us nearer to one of ``folders``.
    var next: Set<String> = []
  }

  /// - Parameter suffixes: What the names of files end in that matter.
  init(_ folders: [String], suffixes: [String]) throws(WatchError) {
    self.folders = folders
    self.suffixes = suffixes
    descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
    if descriptor < 0 { throw .noInstance(code: errno) }
    try watch()
  }

  deinit { close(descriptor) }

  /// Takes what has happened since the last call. Does not block.
  ///
  /// - Returns: Whether any of it may matter.
  func drain() -> Bool {
    var matters = false
    var bytes = [UInt8](repeating: 0, count: 8192)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      matters = bytes.withUnsafeBytes { any(in: $0[..<count]) } || matters
    }
    // Folders may have come or gone. Out of watches, those that are left serve as far as they go.
    if matters { try? watch() }
    return matters
  }

  private func any(in events: Slice<UnsafeRawBufferPointer>) -> Bool {
    var rest = events
    var matters = false
    let header = MemoryLayout<inotify_event>.size
    while rest.count >= header {
      let event = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
      let text = rest.dropFirst(header).prefix(Int(event.len)).prefix { $0 != 0 }
      matters = self.matters(event, name: String(decoding: text, as: UTF8.self)) || matters
      rest = rest.dropFirst(header + Int(event.len))
    }
    return matters
  }

  private func matters(_ event: inotify_event, name: String) -> Bool {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    guard let watch = watches[event.wd] else { return false }
    // An event without a name is the end, or the moving away, of the folder itself.
    if name.isEmpty || watch.next.contains(name) { return true }
    return watch.isWanted && !name.hasPrefix(".") && suffixes.contains { name.hasSuffix($0) }
  }

  private func watch() throws(WatchError) {
    var current: [CInt: Watch] = [:]
    for folder in folders {
      // Folders may be made and removed while we look; whoever does that for ever is not waited
      // for.
      for _ in 0..<100 {
        let (path, next) = Self.nearest(to: folder)
        let number = inotify_add_watch(descriptor, path, Self.mask(isWanted: next == nil))
        if number < 0, errno == ENOSPC { throw .tooManyWatches }
        // Closed to us: what is in it is not ours to list either.
        if number < 0, errno == EACCES { break }
        if number < 0 { continue }
        guard let next else {
          current[number, default: Watch()].isWanted = true
          break
        }
        current[number, default: Watch()].next.insert(next)
        if !Self.isFolder(path + "/" + next) { break }
      }
    }
    for number in watches.keys where current[number] == nil { inotify_rm_watch(descriptor, number) }
    watches = current
  }

  private static func mask(isWanted: Bool) -> UInt32 {
    let folders = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    let files = IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM
    // Added to what another of our paths to the same folder asked for.
    return UInt32(IN_MASK_ADD | folders | (isWanted ? files : 0))
  }

  /// The folder itself, or the nearest above it that is there, and the next part of the path.
  private static func nearest(to folder: String) -> (path: String, next: String?) {
    var path = folder[...]
    var next: String?
    while !isFolder(String(path)), let slash = path.lastIndex(of: "/") {
      next = String(path[path.index(after: slash)...])
      path = path[..<slash]
    }
    return (path.isEmpty ? "/" : String(path), next)
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// Why changes cannot be watched for.
public enum WatchError: Error, Equatable, Sendable, CustomStringConvertible {
  case noInstance(code: CInt)
  case tooManyWatches

  public var description: String {
    switch self {
    case .noInstance(EMFILE):
      "cannot watch for changes: all instances of inotify, or all file descriptors, are taken; end "
        + "other programs, or raise fs.inotify.max_user_instances or ulimit -n"
    case .noInstance(let code):
      "cannot watch for changes: \(errnoDescription(code))"
    case .tooManyWatches:
      "cannot watch for changes: all watches of inotify are taken; end other programs, or raise "
        + "fs.inotify.max_user_watches"
    }
  }
}
