import CLinux
import Glibc
import Synchronization

/// A program that this process has started and that outlives it.
///
/// A thread with a small stack waits for the program to end, so that it never remains as a zombie, even if this object
/// was released.
final class DetachedProgram: Sendable {
  /// The process ID, which is also the ID of the program's session and process group.
  let pid: pid_t

  /// How a program ended.
  enum Ending: Equatable, Sendable {
    case exited(status: CInt)
    case signalled(CInt)
    /// Other code in this process has already waited for the program.
    case unknown
  }

  struct StartFailure: Error, Equatable { let code: CInt }

  private let state = Mutex<Ending?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: The path of the executable file.
  ///   - arguments: The arguments, starting with the program's name (`argv[0]`).
  ///   - variables: The environment variables of the program.
  ///   - log: The descriptor for standard output and standard error. Remains owned by the caller.
  /// - Throws: ``StartFailure`` with the `errno` of executing the program or of starting the thread.
  init(
    _ path: String, arguments: [String], variables: [String: String], log: CInt
  ) throws(StartFailure) {
    pid = try Self.spawn(path, arguments, variables, log)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 256 << 10)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(&thread, &attributes, waitForProgram, context.toOpaque())
    pthread_attr_destroy(&attributes)
    if code == 0 { return }
    context.release()
    // No thread would wait for the program.
    _ = Glibc.kill(-pid, SIGKILL)
    while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    throw StartFailure(code: code)
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

  fileprivate func waitForEnd() {
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

@c private func waitForProgram(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  // The host decides which of its threads receive signals.
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_BLOCK, &all, nil)
  if let context {
    Unmanaged<DetachedProgram>.fromOpaque(context).takeRetainedValue().waitForEnd()
  }
  return nil
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
