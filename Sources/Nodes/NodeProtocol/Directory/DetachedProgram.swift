import CLinux
package import Glibc
package import LocalSystem
import Synchronization

/// A program that this process has started and that outlives it.
///
/// A thread with a small stack waits for the program to end, so that it never remains as a zombie, even if this object
/// was released.
package final class DetachedProgram: Sendable {
  /// The process ID, which is also the ID of the program's session and process group.
  package let pid: pid_t

  /// How a program ended.
  package enum Ending: Equatable, Sendable {
    case exited(status: CInt)
    case signalled(CInt)
    /// Other code in this process has already waited for the program.
    case unknown
  }

  private let state = Mutex<Ending?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: The path of the executable file.
  ///   - arguments: The arguments, starting with the program's name (`argv[0]`).
  ///   - variables: The environment variables of the program.
  ///   - log: The descriptor for standard output and standard error. Remains owned by the caller.
  ///   - input: The descriptor for standard input, which remains owned by the caller; `nil` for `/dev/null`.
  ///   - folder: The working directory; that of a program that runs for long is `/`, so that it keeps no file system busy.
  /// - Throws: ``SystemError`` if the program cannot be executed or the thread cannot be started.
  package init(
    _ path: String, arguments: [String], variables: [String: String], log: CInt,
    input: CInt? = nil, folder: String = "/"
  ) throws(SystemError) {
    pid = try Self.spawn(path, arguments, variables, log, input, folder)
    do throws(SystemError) {
      try SystemThread(name: "portative-child", stackSize: 256 << 10) { self.waitForEnd() }.detach()
    } catch {
      // No thread would wait for the program.
      _ = Glibc.kill(-pid, SIGKILL)
      while waitpid(pid, nil, 0) < 0, errno == EINTR {}
      throw error
    }
  }

  /// How the program ended; `nil` while it runs.
  package var ending: Ending? { state.withLock(\.self) }

  /// Waits until the program has ended.
  ///
  /// - Returns: How it ended; `nil` if it still runs when `limit` has passed.
  package func waitForEnd(atMost limit: Duration) -> Ending? {
    let end = ContinuousClock.now + limit
    while ending == nil, ContinuousClock.now < end { usleep(2000) }
    return ending
  }

  /// Kills the program and all processes in its process group.
  package func kill() {
    // Under the mutex: the process ID cannot be reused until the program has been waited for.
    state.withLock { ending in
      if ending == nil { _ = Glibc.kill(-pid, SIGKILL) }
    }
  }

  private func waitForEnd() {
    var info = siginfo_t()
    while waitid(P_PID, id_t(pid), &info, CInt(WEXITED | WNOWAIT)) != 0, errno == EINTR {}
    state.withLock { ending in
      var status: CInt = 0
      let signal = waitpid(pid, &status, WNOHANG) == pid ? status & 0x7F : -1
      ending =
        switch signal {
        case -1: .unknown
        case 0: .exited(status: status >> 8 & 0xFF)
        default: .signalled(signal)
        }
    }
  }
}

extension DetachedProgram.Ending: CustomStringConvertible {
  package var description: String {
    switch self {
    case .exited(let status): "exited with status \(status)"
    case .signalled(let signal): "was ended by signal \(signal)"
    case .unknown: "ended"
    }
  }
}

extension DetachedProgram {
  /// Starts a program that is independent of this process.
  ///
  /// The program has its own session, so that it receives no signals from a terminal; no open descriptors except its
  /// input and the log; and no blocked or ignored signals.
  private static func spawn(
    _ path: String, _ arguments: [String], _ variables: [String: String], _ log: CInt,
    _ input: CInt?, _ folder: String
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The log first: if this process has closed its standard input, the log may have descriptor 0.
    posix_spawn_file_actions_adddup2(&actions, log, 1)
    posix_spawn_file_actions_adddup2(&actions, log, 2)
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    posix_spawn_file_actions_addchdir_np(&actions, folder)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSID | CInt(POSIX_SPAWN_SETSIGMASK) | CInt(POSIX_SPAWN_SETSIGDEF)))

    var argumentList = arguments.map { strdup($0) } + [nil]
    var environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argumentList + environment { free(text) } }
    var pid: pid_t = 0
    // ETXTBSY: the process that wrote the file, or a child that it forked and that has not called exec yet, still has
    // the file open for writing.
    for attempt in 1... {
      let code = posix_spawn(&pid, path, &actions, &attributes, &argumentList, &environment)
      if code == 0 { break }
      if code != ETXTBSY || attempt == 50 { throw SystemError(code: code, call: "posix_spawn") }
      usleep(10_000)
    }
    return pid
  }
}
