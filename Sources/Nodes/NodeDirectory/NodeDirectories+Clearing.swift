import Glibc
import LocalSystem

extension NodeDirectories {
  /// Removes what hosts and nodes that were killed have left in the ``runtime`` folder beside the files of nodes: locks
  /// of hosts that were starting a node, and half-written lists of ports.
  func clearRuntime() {
    for name in (try? Folder.names(in: runtime)) ?? [] {
      let path = "\(runtime)/\(name)"
      if name.hasSuffix(".turn") {
        _ = FileLock.isHeld(path) { _ in unlink(path.platformString) }
      } else if name.hasPrefix("."), name.hasSuffix(".partial"), Self.age(of: path) > 60 {
        // Writing one takes milliseconds.
        unlink(path.platformString)
      }
    }
  }

  /// Seconds since a file was written; 0 where it is not there.
  private static func age(of path: String) -> Int {
    var (status, now) = (stat(), timespec())
    guard lstat(path.platformString, &status) == 0 else { return 0 }
    clock_gettime(CLOCK_REALTIME, &now)
    return now.tv_sec - status.st_mtim.tv_sec
  }
}
