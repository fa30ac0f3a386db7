import CLinux
import Glibc

/// A program that ran to its end, and what it took.
///
/// Linux counts a program's peak of memory from the size of the process that started it, so that
/// must be small: what the bench no longer needs is given back first, and its own peak forgotten.
struct Child {
  /// 128 and the signal's number, if a signal ended it.
  var exitCode: Int
  /// Seconds, from before the start until after the end.
  var wall: Double
  /// Seconds of processor time, of all its threads, in user and system mode.
  var cpu: Double
  /// The most memory it had at once.
  var peakBytes: Int
  /// What it wrote to standard output, if that was kept.
  var output: String

  /// Runs a program, found as a shell would, and waits for it.
  ///
  /// - Parameters:
  ///   - cores: Keeps all of its threads on so many processors; `nil`: on those there are.
  ///   - showsErrors: Leaves it our standard error.
  /// - Throws: ``BenchError`` if it cannot be started.
  static func run(
    _ program: String, _ arguments: [String], cores count: Int? = nil, keepsOutput: Bool = false,
    showsErrors: Bool = false
  ) throws -> Child {
    forgetPeak()
    let cores = Affinity.cores
    return try Affinity.with(cores.suffix(count ?? cores.count)) {
      let begin = now()
      let (process, descriptor) = try start(program, arguments, keepsOutput, showsErrors)
      let output = descriptor.map(readAll) ?? []
      if let descriptor { close(descriptor) }
      var status: Int32 = 0
      var usage = rusage()
      while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
      try Interruption.check()
      let signal = Int(status & 0x7F)
      return Child(
        exitCode: signal == 0 ? Int(status >> 8 & 0xFF) : 128 + signal, wall: now() - begin,
        cpu: usage.ru_utime.seconds + usage.ru_stime.seconds,
        peakBytes: usage.ru_maxrss * 1024, output: String(decoding: output, as: UTF8.self))
    }
  }

  private static func start(
    _ program: String, _ arguments: [String], _ keepsOutput: Bool, _ showsErrors: Bool
  ) throws -> (process: pid_t, output: Int32?) {
    var ends: [Int32] = [-1, -1]
    if keepsOutput, pipe2(&ends, O_CLOEXEC) != 0 { throw BenchError("no pipe to be had") }
    defer { if keepsOutput { close(ends[1]) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if keepsOutput {
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    if !showsErrors { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, program, &actions, nil, &words, environ)
    guard code == 0 else {
      if keepsOutput { close(ends[0]) }
      throw BenchError("cannot start '\(program)': \(String(cString: strerror(code)))")
    }
    return (process, keepsOutput ? ends[0] : nil)
  }

  private static func forgetPeak() {
    malloc_trim(0)
    let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = write(descriptor, "5", 1)
    close(descriptor)
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

/// Reads until there is no more.
func readAll(_ descriptor: Int32) -> [UInt8] {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    if count <= 0 { return bytes }
    bytes += buffer[..<count]
  }
}
