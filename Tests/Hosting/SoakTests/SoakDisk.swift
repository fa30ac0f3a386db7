import Foundation
import Glibc
import TestSupport

/// A disk that is full after seconds of a recording. Only root can mount it.
final class SoakDisk {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws {
    folder = try TemporaryFolder()
    guard mount("tmpfs", folder.path, "tmpfs", 0, "size=512k") == 0 else {
      throw SoakViolation("no disk can be mounted: \(String(cString: strerror(errno)))")
    }
  }

  deinit { umount2(folder.path, CInt(MNT_DETACH)) }

  func clear() {
    for name in folder.names { try? FileManager.default.removeItem(atPath: folder(name)) }
  }
}
