import Glibc

/// Limits of this process.
package enum ResourceLimit {
  /// The number of processes and threads of the user: RLIMIT_NPROC.
  case tasks
  /// The size of the address space in bytes: RLIMIT_AS.
  case addressSpace

  /// The soft limit; `nil` if there is none.
  package var value: Int? {
    // Swift imports the names with different types.
    let resource = __rlimit_resource_t(self == .tasks ? 6 : 9)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }
}

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
