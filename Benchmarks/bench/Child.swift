import CLinux
import Glibc

/// A finished program with the time and memory that it used.
///
/// Linux starts a program's peak memory at the size of the process that started it, so that size must
/// be small: free heap memory is returned to the system first, and the bench's own peak is reset.
struct Child {
  /// 128 plus the signal's number if a signal ended the program.
  var exitCode: Int
  /// Wall time in seconds, from before the start until after the end.
  var wall: Double
  /// Processor time in seconds, of all threads, in user and system mode.
  var cpu: Double
  /// The peak resident memory in bytes.
  var peakBytes: Int
  /// The program's standard output, if `keepsOutput` was set.
  var output: String

  /// Runs a program, found through `PATH`, and waits until it ends.
  ///
  /// - Parameters:
  ///   - count: The number of processors to run on; `nil`: all that the bench may use.
  ///   - keepsOutput: Whether standard output is captured instead of discarded.
  ///   - showsErrors: Whether the program inherits standard error.
  /// - Throws: ``BenchError`` if it cannot be started.
  static func run(
    _ program: String, _ arguments: [String], cores count: Int? = nil, keepsOutput: Bool = false,
    showsErrors: Bool = false
  ) throws -> Child {
    resetPeak()
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
    if keepsOutput, pipe2(&ends, O_CLOEXEC) != 0 { throw BenchError("cannot create a pipe") }
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
    var argv = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for argument in argv { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, program, &actions, nil, &argv, environ)
    guard code == 0 else {
      if keepsOutput { close(ends[0]) }
      throw BenchError("cannot start '\(program)': \(String(cString: strerror(code)))")
    }
    return (process, keepsOutput ? ends[0] : nil)
  }

  private static func resetPeak() {
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

/// Reads until the end of the file or an error.
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
