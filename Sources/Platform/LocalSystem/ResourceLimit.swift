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
