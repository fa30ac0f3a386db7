import Glibc

/// How many files the program may have open at once.
enum FileDescriptorLimit {
  /// Raises the soft limit to the hard one: many songs at a time, each with stems, need more than the usual 1024.
  static func raise() {
    var limit = rlimit()
    let name = CInt(__RLIMIT_OFILE.rawValue)
    guard getrlimit(name, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = min(limit.rlim_max, 1 << 20)
    setrlimit(name, &limit)
  }
}
