import Glibc
import Synchronization

/// The user's, or the system's, wish that the program end: SIGINT, SIGTERM or SIGHUP.
///
/// The first one is noted, and the render loop looks for it between blocks; so half-written files
/// can be removed. A second one ends the program at once, as if it were not caught.
enum Interruption {
  fileprivate static let noted = Atomic<CInt>(0)

  /// The signal that came, if one did. Realtime: yes. Threads: any.
  static var signal: CInt? {
    let number = noted.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Starts to note signals. A closed pipe and a file size limit become errors of writing.
  static func watch() {
    // The value must exist before a handler may run.
    _ = noted.load(ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = noteSignal
    action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // One that is ignored stays so: nohup, or a shell's background job.
      var before = sigaction()
      sigaction(number, nil, &before)
      let ignored = unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1
      if !ignored { sigaction(number, &action, nil) }
    }
    Glibc.signal(SIGPIPE, SIG_IGN)
    Glibc.signal(SIGXFSZ, SIG_IGN)
  }

  /// Ends the program by a signal, so that the shell knows, and stops its loop too.
  static func end(by number: CInt) -> Never {
    Glibc.signal(number, SIG_DFL)
    // Worker threads have it blocked.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
    // It cannot come here; were it so, this is what the shell would have said.
    exit(128 + number)
  }
}

@c(portative_note_signal)
func noteSignal(_ number: CInt) {
  Interruption.noted.store(number, ordering: .relaxed)
}
