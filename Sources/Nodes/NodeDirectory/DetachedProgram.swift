import CLinux
import Glibc
import Synchronization

/// A program that this process has started, and that lives on without it.
///
/// A thread, of little more than a small stack, waits for its end; so it never stays as a zombie,
/// whether anyone still cares for it or not.
final class DetachedProgram: Sendable {
  /// Also that of its session and of its process group.
  let pid: pid_t

  /// How a program ended.
  enum Ending: Equatable, Sendable {
    case exited(status: CInt)
    case signalled(CInt)
    /// Somebody else in this process has waited for it.
    case unknown
  }

  struct StartFailure: Error, Equatable { let code: CInt }

  private let state = Mutex<Ending?>(nil)

  /// - Parameters:
  ///   - path: The program's file.
  ///   - arguments: The first is the name it is called by.
  ///   - log: Where its output and errors go; stays the caller's.
  /// - Throws: The `errno` for why it cannot be executed.
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
    // Nobody would wait for it.
    _ = Glibc.kill(-pid, SIGKILL)
    while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    throw StartFailure(code: code)
  }

  /// How it ended; `nil` while it runs.
  var ending: Ending? { state.withLock(\.self) }

  /// Kills it and all that it has started, unless they have left its process group.
  func kill() {
    // Under the mutex: until it has been waited for, the number is its own and no other's.
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
  // Signals are for the threads that the host has chosen.
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
