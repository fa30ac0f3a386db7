import Glibc

/// Which limit keeps this process from having another thread. The kernel gives one error for all of them.
package enum ThreadLimit {
  /// A sentence with the limit, how much of it is used, and the remedy; `nil` if none is found.
  package static var reached: String? { groupLimit ?? userLimit ?? memoryLimit ?? machineLimit }

  /// Source: *Control Group v2*, "PID"; the folders of version 1 are alike.
  private static var groupLimit: String? {
    guard let text = text("/proc/self/cgroup") else { return nil }
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[1].isEmpty || parts[1].split(separator: ",").contains("pids")
      else { continue }
      var path = Substring(parts[2])
      // A group above may be the one that is full. Within a container, the path may lead nowhere.
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
      + "TasksMax= of its unit, or --pids-limit of its container, or end other programs in it"
  }

  private static var userLimit: String? {
    // Who may do anything is not bound by it.
    guard geteuid() != 0, let limit = limit(__rlimit_resource_t(6)) else { return nil }
    let count = tasks(of: geteuid())
    guard count + 1 >= limit else { return nil }
    return
      "user \(geteuid()) may have \(limit) processes and threads (ulimit -u) and has \(count): "
      + "raise it, or end other programs"
  }

  private static var memoryLimit: String? {
    let space = __rlimit_resource_t(9)
    guard let limit = limit(space),
      let used = number("/proc/self/statm").map({ $0 * Int(getpagesize()) })
    else { return nil }
    // What the stack of another thread takes.
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
      "this machine may have \(limit) threads (kernel.threads-max) and has \(count): raise it, or end "
      + "other programs"
  }

  /// - Parameter resource: Of `getrlimit(2)`: 6 is RLIMIT_NPROC and 9 RLIMIT_AS, of types that differ.
  /// - Returns: `nil` for no limit.
  private static func limit(_ resource: __rlimit_resource_t) -> Int? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }

  /// Processes and threads of a user, as far as we see them.
  private static func tasks(of user: uid_t) -> Int {
    let processes = ((try? Folder.names(in: "/proc")) ?? [])?.filter { Int($0) != nil } ?? []
    return processes.reduce(0) { count, process in
      var status = stat()
      guard stat("/proc/\(process)", &status) == 0, status.st_uid == user else { return count }
      return count + (((try? Folder.names(in: "/proc/\(process)/task")) ?? [])?.count ?? 1)
    }
  }

  /// The first number in a file.
  private static func number(_ path: String) -> Int? {
    text(path).flatMap { $0.split(whereSeparator: \.isWhitespace).first }.flatMap { Int($0) }
  }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? WholeFile.read(path, limit: 1 << 16) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
