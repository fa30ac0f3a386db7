import Glibc
import LocalSystem

/// What a process holds.
struct ProcessHoldings {
  var descriptors: Int
  /// Bytes that no other process shares.
  var memory: Int

  /// - Returns: `nil` if this process may not read it.
  init?(of process: Int32) {
    guard let names = try? Folder.names(in: "/proc/\(process)/fd"),
      let status = try? WholeFile.read("/proc/\(process)/statm", limit: 4096)
    else { return nil }
    let pages = String(decoding: status, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    guard pages.count > 2 else { return nil }
    descriptors = names.count
    memory = (pages[1] - pages[2]) * sysconf(CInt(_SC_PAGESIZE))
  }
}

extension Collection<ProcessHoldings> {
  /// The least of each.
  var least: ProcessHoldings? {
    guard var least = first else { return nil }
    for holdings in self {
      least.descriptors = Swift.min(least.descriptors, holdings.descriptors)
      least.memory = Swift.min(least.memory, holdings.memory)
    }
    return least
  }
}
