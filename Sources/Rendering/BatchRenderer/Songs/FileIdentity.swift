import Glibc
import LocalSystem

/// The identity of a file, independent of its path. Equal identities have the same device and inode.
package struct FileIdentity: Hashable {
  private let device: dev_t
  private let inode: ino_t
  let length: Int
  package let isRegular: Bool
  package let isFolder: Bool
  /// Whether it is neither a regular file nor a folder: a device, a FIFO or a socket.
  package var isDevice: Bool { !isRegular && !isFolder }

  /// - Returns: `nil` if the path does not exist or cannot be inspected.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path.platformString, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
    length = Int(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }

  package static func == (one: Self, other: Self) -> Bool {
    one.device == other.device && one.inode == other.inode
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(inode)
  }
}
