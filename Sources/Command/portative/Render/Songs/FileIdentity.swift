import Glibc
import LocalSystem

/// Which file it is, however it is called.
struct FileIdentity: Hashable {
  private let device: dev_t
  private let inode: ino_t
  let length: Int
  let isRegular: Bool
  let isFolder: Bool
  /// Whether it takes or gives bytes that are not kept there: a device, a FIFO, a socket.
  var isDevice: Bool { !isRegular && !isFolder }

  /// - Returns: `nil` where nothing is found at the path.
  init?(_ path: String) {
    var status = stat()
    guard stat(path.platformString, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
    length = Int(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }

  static func == (one: Self, other: Self) -> Bool {
    one.device == other.device && one.inode == other.inode
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(inode)
  }
}
