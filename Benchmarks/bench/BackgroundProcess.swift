import CLinux
import Glibc

/// A program that runs in the background until ``end()``.
struct BackgroundProcess {
  let process: pid_t
  private let input: Int32

  /// Starts a program on the processors of the calling thread. It inherits standard error.
  ///
  /// - Parameter awaitsOutput: Whether to wait until it writes to standard output or ends.
  /// - Throws: ``BenchError`` if it cannot be started, or if it ends before it writes.
  init(_ program: String, _ arguments: [String], awaitsOutput: Bool = false) throws {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    guard pipe2(&toChild, O_CLOEXEC) == 0, pipe2(&fromChild, O_CLOEXEC) == 0 else {
      throw BenchError("cannot create a pipe")
    }
    defer { for end in [toChild[0], fromChild[0], fromChild[1]] where end >= 0 { close(end) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    var argv = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for argument in argv { free(argument) } }
    var process: pid_t = 0
    guard posix_spawn(&process, program, &actions, nil, &argv, environ) == 0 else {
      close(toChild[1])
      throw BenchError("cannot start '\(program)'")
    }
    self.process = process
    input = toChild[1]
    close(fromChild[1])
    fromChild[1] = -1
    var byte: UInt8 = 0
    if awaitsOutput, read(fromChild[0], &byte, 1) != 1 {
      end()
      throw BenchError("'\(program) \(arguments.joined(separator: " "))' ended before it was ready")
    }
  }

  /// Closes its standard input, sends SIGTERM and waits until it ends.
  func end() {
    close(input)
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// The proportional set size (PSS) in bytes, or 0 if it is unknown.
  var memory: Int {
    let text = String(
      decoding: readWhole("/proc/\(process)/smaps_rollup"), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
  }

  /// The processor time used so far in seconds, of all threads.
  var processorTime: Double {
    let text = String(decoding: readWhole("/proc/\(process)/stat"), as: UTF8.self)
    // The name in parentheses may have spaces; the times are the 12th and 13th field after it.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

private func readWhole(_ path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  return readAll(descriptor)
}
