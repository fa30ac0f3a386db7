import Glibc

/// Limits of this process.
package enum ResourceLimit {
  /// The number of processes and threads of the user: RLIMIT_NPROC.
  case tasks
  /// The size of the address space in bytes: RLIMIT_AS.
  case addressSpace
  /// The bytes that the process may allocate, without those that are mapped from files: RLIMIT_DATA.
  case data

  /// The soft limit; `nil` if there is none.
  package var value: Int? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }

  /// Lowers the soft limit. Does nothing if it is lower already.
  func lower(to value: Int) {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_cur, rlim_t(value))
    setrlimit(resource, &limit)
  }

  private var resource: __rlimit_resource_t {
    // Swift imports the names with different types.
    switch self {
    case .data: __rlimit_resource_t(2)
    case .tasks: __rlimit_resource_t(6)
    case .addressSpace: __rlimit_resource_t(9)
    }
  }
}

/// The memory of a process whose code is not trusted.
package enum MemoryLimit {
  /// Limits what this process may allocate from now on to three quarters of the machine's memory, and makes it the first that the
  /// kernel ends when memory is short.
  ///
  /// Code that allocates without end would otherwise stop the machine, or end other programs. A fixed limit would be too low for
  /// samplers, which load gigabytes.
  package static func set() {
    let statistics = (try? WholeFile.read("/proc/self/statm", limit: 1 << 10)) ?? []
    let words = String(decoding: statistics, as: UTF8.self).split(separator: " ")
    // An address sanitizer has data that is larger than any memory.
    let present = words.count > 5 ? Int(words[5]) ?? 0 : 0
    let pages = present + sysconf(CInt(_SC_PHYS_PAGES)) / 4 * 3
    ResourceLimit.data.lower(to: pages * Int(getpagesize()))
    guard let file = fopen("/proc/self/oom_score_adj", "w") else { return }
    fputs("500", file)
    fclose(file)
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
