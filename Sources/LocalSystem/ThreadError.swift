import Glibc

/// The system has refused to start a thread.
public struct ThreadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What `pthread_create` returned.
  public let code: CInt
  /// Threads that the user may have, as far as it is known.
  public let limit: Int?

  /// - Parameter code: What `pthread_create` returned.
  public init(code: CInt) {
    self.init(
      code: code, limit: Self.currentLimit,
      addressSpace: Self.soft(CInt(RLIMIT_AS.rawValue)))
  }

  /// Bytes of address space that the program may have, where that is limited: each thread needs some for its stack.
  public let addressSpace: Int?

  package init(code: CInt, limit: Int?, addressSpace: Int? = nil) {
    self.code = code
    self.limit = limit
    self.addressSpace = addressSpace
  }

  public var description: String {
    let limit = limit.map { "at most \($0) are allowed" } ?? "there are too many"
    return
      "cannot start a thread: \(systemMessage(code)); \(limit): raise the limit (ulimit -u, or "
      + "TasksMax= of the service or container), end other programs, or use fewer with --jobs"
  }

  /// The lower one of the user's limit and that of the control group.
  private static var currentLimit: Int? {
    [soft(CInt(__RLIMIT_NPROC.rawValue)), controlGroupLimit].compactMap(\.self).min()
  }

  /// - Returns: `nil` where there is no limit.
  private static func soft(_ resource: CInt) -> Int? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(Int.max) else { return nil }
    return Int(limit.rlim_cur)
  }

  /// Source: *The Linux kernel*, `Documentation/admin-guide/cgroup-v2.rst`, "pids.max".
  private static var controlGroupLimit: Int? {
    guard let bytes = try? WholeFile.read("/proc/self/cgroup", limit: 1 << 16),
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        .first(where: { $0.hasPrefix("0::") }),
      let limit = try? WholeFile.read(
        "/sys/fs/cgroup\(line.dropFirst(3))/pids.max", limit: 64)
    else { return nil }
    return Int(String(decoding: limit, as: UTF8.self).prefix { $0.isNumber })
  }
}
