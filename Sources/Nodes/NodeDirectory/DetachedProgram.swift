package import Glibc
import Synchronization
package import Threads

/// A program that this process has started and that outlives it.
///
/// A thread with a small stack waits for the program to end, so that it never remains as a zombie, even if this object
/// was released.
package final class DetachedProgram: Sendable {
  /// The process ID, which is also the ID of the program's session and process group.
  package let pid: pid_t

  /// How a program ended.
  enum Ending: Equatable, Sendable {
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
  /// - Throws: ``SystemError`` if the program cannot be executed or the thread cannot be started.
  package init(
    _ path: String, arguments: [String], variables: [String: String], log: CInt
  ) throws(SystemError) {
    pid = try Self.spawn(path, arguments, variables, log)
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
  var ending: Ending? { state.withLock(\.self) }

  /// Kills the program and all processes in its process group.
  func kill() {
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
  var description: String {
    switch self {
    case .exited(let status): "exited with status \(status)"
    case .signalled(let signal): "was ended by signal \(signal)"
    case .unknown: "ended"
    }
  }
}
