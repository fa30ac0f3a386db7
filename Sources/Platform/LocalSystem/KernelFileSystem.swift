import CLinux
import Glibc

/// File systems of the kernel, such as `/proc`. They contain no user files, and their links can point anywhere.
package enum KernelFileSystem {
  /// proc, sysfs, debugfs, tracefs, cgroup, cgroup2.
  ///
  /// Source: `statfs(2)`.
  private static let types: Set<Int> = [
    0x9FA0, 0x6265_6572, 0x6462_6720, 0x7472_6163, 0x27_E0EB, 0x6367_7270,
  ]

  /// Returns whether a path is in one of these file systems.
  package static func contains(_ path: String) -> Bool {
    var buffer = [Int](repeating: 0, count: 32)
    return statfs(path.platformString, &buffer) == 0 && types.contains(buffer[0])
  }
}
