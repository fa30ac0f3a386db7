import Glibc
import LocalSystem

/// Limits the log of this process, if a launcher has started it: a file that standard output and standard error are written to.
///
/// When the file has become too long, it is kept as `NODE.log.1`, and another one begins. Programs that this one has started before
/// write to the old file.
enum LogLimit {
  /// The bytes after which another file begins.
  private static let length = 1 << 20

  /// Begins to limit the log of a node, unless this process writes elsewhere.
  static func apply(toLogOf node: String, in directories: NodeDirectories) {
    guard NodeLauncher.hasLaunchedThisProcess, let state = directories.state else { return }
    // Without it, the node is as good.
    try? apply(to: "\(state)/\(node).log", [STDOUT_FILENO, STDERR_FILENO], length: length)
  }

  /// Begins to limit a file, on a thread that sleeps until something is written.
  ///
  /// - Parameter descriptors: Those that may have the file, which are replaced.
  static func apply(to path: String, _ descriptors: [CInt], length: Int) throws(SystemError) {
    let descriptors = descriptors.filter { isFile($0, at: path) }
    guard let first = descriptors.first else { return }
    let events = inotify_init1(CInt(IN_CLOEXEC))
    if events < 0 { throw SystemError(call: "inotify_init1") }
    let thread = Result { () throws(SystemError) in
      if inotify_add_watch(events, path, UInt32(IN_MODIFY)) < 0 {
        throw SystemError(call: "inotify_add_watch")
      }
      return try SystemThread(name: "portative-log", stackSize: 256 << 10) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        repeat {
          var file = stat()
          if fstat(first, &file) == 0, file.st_size >= length {
            replace(path, descriptors)
            inotify_add_watch(events, path, UInt32(IN_MODIFY))
          }
        } while read(events, &buffer, buffer.count) > 0
        close(events)
      }
    }
    switch thread {
    case .success(let thread): thread.detach()
    case .failure(let error):
      close(events)
      throw error
    }
  }

  private static func isFile(_ descriptor: CInt, at path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &named) == 0
      && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  /// Begins another file at the path. If that fails, the old one is cut.
  private static func replace(_ path: String, _ descriptors: [CInt]) {
    rename(path, "\(path).1")
    let new = (try? LaunchLog.open(path)) ?? -1
    if new < 0 {
      for descriptor in descriptors { ftruncate(descriptor, 0) }
      return
    }
    for descriptor in descriptors { dup2(new, descriptor) }
    close(new)
  }
}
