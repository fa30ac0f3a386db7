import Glibc
import LocalSystem
import Testing

@Test func `ends by the signal itself, so that the shell detects it`() async {
  await #expect(processExitsWith: .signal(SIGINT)) { Interruption.end(by: SIGINT) }
  await #expect(processExitsWith: .signal(SIGPIPE)) { Interruption.end(by: SIGPIPE) }
}

/// Sends a signal to the calling thread, which handles it before this function returns.
private func receive(_ signal: CInt) {
  // The threads of tests block all signals.
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_UNBLOCK, &all, nil)
  raise(signal)
}

@Test func `records the first signal, and the second ends the program`() async {
  await #expect(processExitsWith: .signal(SIGTERM)) {
    Interruption.watch()
    if Interruption.signal != nil { exit(1) }
    receive(SIGTERM)
    if Interruption.signal != SIGTERM { exit(2) }
    receive(SIGTERM)
    exit(3)
  }
}

@Test func `leaves ignored signals ignored, and makes closed pipes an error`() async {
  await #expect(processExitsWith: .exitCode(7)) {
    Glibc.signal(SIGHUP, SIG_IGN)
    Interruption.watch()
    for number in [SIGHUP, SIGPIPE, SIGXFSZ] { receive(number) }
    exit(Interruption.signal == nil ? 7 : 1)
  }
}
