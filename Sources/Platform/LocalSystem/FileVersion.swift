package import Glibc

/// Identifies a file independently of its name, and its contents by size and modification time.
package struct FileVersion: Hashable, Sendable {
  private let device: UInt
  private let inode: UInt
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  package init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }

  /// - Returns: `nil` if the path does not exist or cannot be inspected.
  package init?(_ path: String) {
    var status = stat()
    if stat(path.platformString, &status) != 0 { return nil }
    self.init(status)
  }
}
