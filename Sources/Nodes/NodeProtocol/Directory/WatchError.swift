import Glibc
import LocalSystem

/// The reason why changes cannot be watched.
public enum WatchError: Error, Equatable, Sendable, CustomStringConvertible {
  case noInstance(code: CInt)
  case tooManyWatches

  public var description: String {
    switch self {
    case .noInstance(EMFILE):
      "cannot watch for changes: all inotify instances or file descriptors are in use; close other "
        + "programs, or raise fs.inotify.max_user_instances or ulimit -n"
    case .noInstance(let code):
      "cannot watch for changes: \(errnoDescription(code))"
    case .tooManyWatches:
      "cannot watch for changes: all inotify watches are in use; close other programs, or raise "
        + "fs.inotify.max_user_watches"
    }
  }
}
