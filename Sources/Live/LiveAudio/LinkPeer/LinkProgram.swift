import CLink
import CLinux
import Glibc
package import LocalSystem
import Synchronization

/// The program `portative-link` as a child of this process: a member of the Link session of the local network.
///
/// Link's licence is the GPL, so it is in a program of its own. The child ends with this process. If it ends earlier, it
/// is started again: after a second, or later each time if it ends within 5 s; until then the last tempo continues.
///
/// Realtime: no. Threads: any. The owner must call ``stop()``.
package final class LinkProgram: Sendable {
  /// A closure that receives a line for the user; called on a private thread.
  package typealias Report = @Sendable (_ line: String, _ isError: Bool) -> Void

  package let memory: LinkMemory
  private let path: String
  private let report: Report
  private let shutdown: ShutdownSignal
  private let thread: Mutex<SystemThread?>
  /// The standard input of the child; -1 while there is none.
  private let input = Mutex<CInt>(-1)

  private static let name = "portative-link"
  /// The tempo of a session that this program begins, in quarter notes per minute.
  private static let tempo = 120.0
  /// The nanoseconds after which a child counts as working.
  private static let trial: Int64 = 5_000_000_000

  /// Starts the program.
  ///
  /// - Throws: ``Failure`` if the program is not installed; ``SystemError``.
  package init(in environment: ProcessEnvironment, report: @escaping Report) throws {
    guard let path = Self.path(in: environment) else {
      throw Failure(
        .failed,
        "--link needs the program \(Self.name), which is not installed: install it with 'make install-link', "
          + "or add its folder to PATH")
    }
    self.path = path
    self.report = report
    memory = try LinkMemory()
    shutdown = try ShutdownSignal()
    thread = Mutex(nil)
    let first = try start()
    try thread.withLock {
      $0 = try SystemThread(name: Self.name) { [self] in run(first) }
    }
  }

  /// Ends the program, and waits until it has ended.
  package func stop() {
    shutdown.wake()
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }

  /// Changes the session, for all its members.
  package func send(_ command: LinkCommand) {
    let line = Array("\(command.line)\n".utf8)
    input.withLock { _ = write($0, line, line.count) }
  }

  /// The program beside this one, in its library's folder, or in `PATH`.
  private static func path(in environment: ProcessEnvironment) -> String? {
    let own = environment.executable.map { $0.pathParts.dropLast().map { "/\($0)" }.joined() }
    let folders =
      (own.map { [$0, $0 + "/../lib/portative"] } ?? [])
      + (environment.variables["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// A child, and the end of its standard output.
  private struct Child {
    let process: pid_t
    let output: CInt
  }

  /// Ends the child's standard input, at whose end it ends.
  private func closeInput() {
    input.withLock { input in
      close(input)
      input = -1
    }
  }

  private func start() throws(SystemError) -> Child {
    let (input, output) = (try Pipe(), try Pipe())
    defer {
      close(input.reading)
      close(output.writing)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, memory.descriptor, 3)
    posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclosefrom_np(&actions, 4)
    // The threads of a program that waits for signals block them.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments = [strdup(path), strdup("\(memory.state?.tempo ?? Self.tempo)"), nil]
    defer { for text in arguments { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, &arguments, environ)
    if code != 0 {
      close(input.writing)
      close(output.reading)
      throw SystemError(code: code, call: "posix_spawn")
    }
    self.input.withLock { $0 = input.writing }
    return Child(process: process, output: output.reading)
  }

  /// Follows a child until it has ended, and starts the next one.
  private func run(_ first: Child) {
    var child: Child? = first
    var delay: Int64 = 1
    while true {
      if let child {
        let begin = MonotonicClock.now
        guard let ending = follow(child) else { return }
        if MonotonicClock.now - begin >= Self.trial { delay = 1 }
        report("Link: \(Self.name) \(ending); starting it again in \(delay) s", true)
      }
      if !shutdown.wait(for: -1, until: MonotonicClock.now + delay * 1_000_000_000) { return }
      delay = min(2 * delay, 60)
      do {
        child = try start()
      } catch {
        child = nil
        report("Link: \(path): \(error)", true)
      }
    }
  }

  /// Reads what a child writes, until it ends.
  ///
  /// - Returns: How it has ended; `nil` if it was ended by ``stop()``.
  private func follow(_ child: Child) -> String? {
    var reader = LineReader()
    while shutdown.wait(for: child.output) {
      guard let lines = reader.read(child.output) else {
        closeInput()
        close(child.output)
        var status: CInt = 0
        waitpid(child.process, &status, 0)
        return status & 0x7F == 0
          ? "has ended with status \(status >> 8 & 0xFF)"
          : "was ended by signal \(status & 0x7F)"
      }
      for line in lines { receive(line) }
    }
    closeInput()
    // It leaves the session, unless it hangs.
    let limit = MonotonicClock.now + 1_000_000_000
    var output = pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)
    while MonotonicClock.now < limit {
      if poll(&output, 1, 100) > 0, reader.read(child.output) == nil { break }
    }
    close(child.output)
    kill(child.process, SIGKILL)
    waitpid(child.process, nil, 0)
    return nil
  }

  private func receive(_ line: String) {
    guard line.hasPrefix("peers "), let peers = Int(line.dropFirst(6)), peers >= 0 else { return }
    let tempo = memory.state?.tempo ?? Self.tempo
    let others =
      switch peers {
      case 0: "no other program yet"
      case 1: "with 1 other program"
      default: "with \(peers) other programs"
      }
    report("Link: \(others), \((tempo * 100).rounded() / 100) BPM", false)
  }
}

/// The ends of a pipe, which children inherit only on purpose.
private struct Pipe {
  let reading: CInt
  let writing: CInt

  init() throws(SystemError) {
    var ends: [CInt] = [0, 0]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError(call: "pipe2") }
    (reading, writing) = (ends[0], ends[1])
  }
}

/// Splits what a program writes into lines. Lines of more than 1000 bytes are left out.
struct LineReader {
  private var rest: [UInt8] = []

  /// Reads once from a descriptor.
  ///
  /// - Returns: The lines that are complete now; `nil` at the end.
  fileprivate mutating func read(_ descriptor: CInt) -> [String]? {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    if count <= 0 { return nil }
    rest += bytes[..<count]
    var lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
    rest = Array(lines.removeLast())
    if rest.count > 1000 { rest = [] }
    return lines.filter { $0.count <= 1000 }.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A change of a Link session.
package enum LinkCommand: Equatable, Sendable {
  /// Quarter notes per minute: 20…999.
  case tempo(Double)
  case play
  case stop

  /// The line that `portative-link` reads.
  fileprivate var line: String {
    switch self {
    case .tempo(let tempo): "tempo \(tempo)"
    case .play: "play"
    case .stop: "stop"
    }
  }
}
