import Glibc
import LocalSystem

extension NodeDirectories {
  /// Removes files that killed hosts and nodes have left in the ``runtime`` folder: locks of hosts that were launching
  /// a node, and partially written lists of ports. ``PublishedNode/find(_:in:)`` removes the files of a node itself.
  func clearRuntime() {
    for name in (try? Folder.names(in: runtime)) ?? [] {
      let path = "\(runtime)/\(name)"
      if name.hasSuffix(".turn") {
        _ = FileLock.isHeld(path) { _ in unlink(path.platformString) }
      } else if name.hasPrefix("."), name.hasSuffix(".partial"), Self.age(of: path) > 60 {
        // Writing a list takes milliseconds, so an old partial file is abandoned.
        unlink(path.platformString)
      }
    }
  }

  /// Returns the seconds since a file was written; 0 if it does not exist.
  private static func age(of path: String) -> Int {
    var (status, now) = (stat(), timespec())
    guard lstat(path.platformString, &status) == 0 else { return 0 }
    clock_gettime(CLOCK_REALTIME, &now)
    return now.tv_sec - status.st_mtim.tv_sec
  }
}
