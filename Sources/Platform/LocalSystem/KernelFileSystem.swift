import CLinux
import Glibc

/// File systems in which the kernel shows itself, such as `/proc`: no user's files are there, and links in them lead
/// to everywhere.
package enum KernelFileSystem {
  /// proc, sysfs, debugfs, tracefs, cgroup, cgroup2.
  ///
  /// Source: `statfs(2)`.
  private static let types: Set<Int> = [
    0x9FA0, 0x6265_6572, 0x6462_6720, 0x7472_6163, 0x27_E0EB, 0x6367_7270,
  ]

  package static func contains(_ path: String) -> Bool {
    var buffer = [Int](repeating: 0, count: 32)
    return statfs(path.platformString, &buffer) == 0 && types.contains(buffer[0])
  }
}
