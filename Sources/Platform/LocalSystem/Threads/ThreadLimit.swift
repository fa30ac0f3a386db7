import Glibc

/// Finds the limit that prevents this process from starting another thread. The kernel reports the same error for all
/// limits.
enum ThreadLimit {
  /// A sentence with the limit that was reached, its current use and the remedy; `nil` if none was reached.
  static var reached: String? { groupLimit ?? userLimit ?? memoryLimit ?? machineLimit }

  /// Source: *Control Group v2*, "PID"; version 1 has similar folders.
  private static var groupLimit: String? {
    guard let text = text("/proc/self/cgroup") else { return nil }
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[1].isEmpty || parts[1].split(separator: ",").contains("pids")
      else { continue }
      var path = Substring(parts[2])
      // The limit may be that of a parent group. Within a container, the path may not exist.
      while true {
        for root in parts[1].isEmpty
          ? ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] : ["/sys/fs/cgroup/pids"]
        {
          if let sentence = groupLimit(in: root + path) { return sentence }
        }
        guard let slash = path.lastIndex(of: "/"), !path.isEmpty else { break }
        path = path[..<slash]
      }
    }
    return nil
  }

  private static func groupLimit(in folder: String) -> String? {
    guard let limit = number("\(folder)/pids.max"), let count = number("\(folder)/pids.current"),
      count >= limit
    else { return nil }
    return
      "the control group '\(folder)' may have \(limit) tasks (pids.max) and has \(count): raise "
      + "TasksMax= of its unit, or --pids-limit of its container, or close other programs in it"
  }

  private static var userLimit: String? {
    // The limit does not apply to root.
    guard geteuid() != 0, let limit = ResourceLimit.tasks.value else { return nil }
    let count = tasks(of: geteuid())
    guard count + 1 >= limit else { return nil }
    return
      "user \(geteuid()) may have \(limit) processes and threads (ulimit -u) and has \(count): "
      + "raise it, or close other programs"
  }

  private static var memoryLimit: String? {
    guard let limit = ResourceLimit.addressSpace.value,
      let used = number("/proc/self/statm").map({ $0 * Int(getpagesize()) })
    else { return nil }
    // 8 MB for the stack of another thread.
    guard used + 8 << 20 >= limit else { return nil }
    return
      "this process may have \(limit >> 20) MB of address space (ulimit -v) and has \(used >> 20): "
      + "raise it"
  }

  private static var machineLimit: String? {
    guard let limit = number("/proc/sys/kernel/threads-max"), let text = text("/proc/loadavg"),
      let tasks = text.split(separator: " ").dropFirst(3).first?.split(separator: "/").last,
      let count = Int(tasks), count + 16 >= limit
    else { return nil }
    return
      "this machine may have \(limit) threads (kernel.threads-max) and has \(count): raise it, or "
      + "close other programs"
  }

  /// Returns the number of a user's threads, including those of single-threaded processes, that `/proc` shows.
  private static func tasks(of user: uid_t) -> Int {
    let processes = ((try? Folder.names(in: "/proc")) ?? [])?.filter { Int($0) != nil } ?? []
    return processes.reduce(0) { count, process in
      var status = stat()
      guard stat("/proc/\(process)", &status) == 0, status.st_uid == user else { return count }
      return count + (((try? Folder.names(in: "/proc/\(process)/task")) ?? [])?.count ?? 1)
    }
  }

  /// Returns the first number in a file.
  private static func number(_ path: String) -> Int? {
    text(path).flatMap { $0.split(whereSeparator: \.isWhitespace).first }.flatMap { Int($0) }
  }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? WholeFile.read(path, limit: 1 << 16) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
