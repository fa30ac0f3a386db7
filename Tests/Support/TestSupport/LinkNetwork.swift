import Foundation
import LocalSystem

/// Reserves the network for the Link session of one test, because all programs on it join one session.
package final class LinkNetwork {
  private let lock: FileLock

  /// Waits for other tests.
  package init() throws {
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appending(path: "portative-test-link-\(getuid()).lock")
    while true {
      if let lock = try FileLock.acquire(path.path(percentEncoded: false), mode: 0o600) {
        self.lock = lock
        return
      }
      usleep(10_000)
    }
  }

  deinit { withExtendedLifetime(lock) {} }
}
