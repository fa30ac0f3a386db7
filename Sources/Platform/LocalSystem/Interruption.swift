import Glibc
import Synchronization

/// A request of the user or the system to end the program: SIGINT, SIGTERM or SIGHUP.
///
/// The first signal is recorded. The render loop checks for it between blocks, so that incomplete files can be removed.
/// A second signal ends the program immediately, as if it were not caught.
package enum Interruption {
  fileprivate static let received = Atomic<CInt>(0)

  /// The signal that was received; `nil`: none. Realtime: yes. Threads: any.
  package static var signal: CInt? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Starts to record signals. Ignores SIGPIPE and SIGXFSZ, so that a closed pipe and a file size limit are reported as
  /// write errors.
  package static func watch() {
    // Initialize the static variable before a handler can run.
    _ = received.load(ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = noteSignal
    action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // A signal that is ignored stays ignored, as with nohup or in a background job of a shell.
      var before = sigaction()
      sigaction(number, nil, &before)
      let ignored = unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1
      if !ignored { sigaction(number, &action, nil) }
    }
    Glibc.signal(SIGPIPE, SIG_IGN)
    Glibc.signal(SIGXFSZ, SIG_IGN)
  }

  /// Keeps recording signals after the first one, in a process that is told of a signal by the terminal and again by
  /// its parent.
  package static func keepWatching() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      sigaction(number, nil, &action)
      let ignored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
      action.__sigaction_handler.sa_handler = noteSignal
      action.sa_flags = 0
      if !ignored { sigaction(number, &action, nil) }
    }
  }

  /// Ends the program by a signal, so that a shell detects it and also ends its loop.
  package static func end(by number: CInt) -> Never {
    Glibc.signal(number, SIG_DFL)
    // The signal is blocked in worker threads.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
    // Not reached. Otherwise, this is the exit code that a shell reports for the signal.
    exit(128 + number)
  }
}

private func noteSignal(_ number: CInt) {
  Interruption.received.store(number, ordering: .relaxed)
}
