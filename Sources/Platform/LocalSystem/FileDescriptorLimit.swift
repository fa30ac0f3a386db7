import Glibc

/// The limit of open file descriptors of this process.
package enum FileDescriptorLimit {
  /// Raises the soft limit to the hard limit, at most 2²⁰, because many concurrent songs with stems need more than the
  /// usual 1024.
  package static func raise() {
    var limit = rlimit()
    let name = CInt(__RLIMIT_OFILE.rawValue)
    guard getrlimit(name, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = min(limit.rlim_max, 1 << 20)
    setrlimit(name, &limit)
  }
}
