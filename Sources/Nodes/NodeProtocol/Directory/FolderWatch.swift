import Glibc

/// Watches folders for changes with inotify, including folders that do not exist yet.
///
/// While a folder does not exist, its nearest existing ancestor is watched for the next component of the path.
final class FolderWatch {
  /// The inotify descriptor, which is readable when something has happened.
  let descriptor: CInt

  private let folders: [String]
  private let suffixes: [String]
  private var watches: [CInt: Watch] = [:]

  /// The names to look for in one folder.
  private struct Watch {
    /// Whether the folder is one of ``folders``, so that its files matter.
    var isTarget = false
    /// Names of subfolders on the path to one of ``folders``, which do not exist yet.
    var next: Set<String> = []
  }

  /// Starts watching.
  ///
  /// - Parameters:
  ///   - folders: The folders to watch.
  ///   - suffixes: The suffixes of the files that matter.
  init(_ folders: [String], suffixes: [String]) throws(WatchError) {
    self.folders = folders
    self.suffixes = suffixes
    descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
    if descriptor < 0 { throw .noInstance(code: errno) }
    try watch()
  }

  deinit { close(descriptor) }

  /// Reads all events since the last call. Does not block.
  ///
  /// - Returns: Whether an event may matter.
  func drain() -> Bool {
    var matters = false
    var bytes = [UInt8](repeating: 0, count: 8192)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      matters = bytes.withUnsafeBytes { any(in: $0[..<count]) } || matters
    }
    // Folders may have been created or removed. If no inotify watches are left, the existing ones remain in use.
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
    // An event without a name means that the folder itself was removed or moved.
    if name.isEmpty || watch.next.contains(name) { return true }
    return watch.isTarget && !name.hasPrefix(".") && suffixes.contains { name.hasSuffix($0) }
  }

  private func watch() throws(WatchError) {
    var current: [CInt: Watch] = [:]
    for folder in folders {
      // Folders may be created or removed meanwhile, so this is repeated a limited number of times.
      for _ in 0..<100 {
        let (path, next) = Self.nearest(to: folder)
        let number = inotify_add_watch(descriptor, path, Self.mask(isTarget: next == nil))
        if number < 0, errno == ENOSPC { throw .tooManyWatches }
        // Not accessible to this user: its contents cannot be listed either.
        if number < 0, errno == EACCES { break }
        if number < 0 { continue }
        guard let next else {
          current[number, default: Watch()].isTarget = true
          break
        }
        current[number, default: Watch()].next.insert(next)
        if !Self.isFolder(path + "/" + next) { break }
      }
    }
    for number in watches.keys where current[number] == nil { inotify_rm_watch(descriptor, number) }
    watches = current
  }

  private static func mask(isTarget: Bool) -> UInt32 {
    let folders = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    let files = IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM
    // IN_MASK_ADD keeps the mask of another path to the same folder.
    return UInt32(IN_MASK_ADD | folders | (isTarget ? files : 0))
  }

  /// Returns the folder, or its nearest existing ancestor and the next component of the path.
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
