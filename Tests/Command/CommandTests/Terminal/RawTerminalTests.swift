import Glibc
import Testing
import portative

/// Makes a pseudoterminal the controlling terminal, standard input and standard error of this process.
private func openTerminal() {
  var (user, program): (CInt, CInt) = (0, 0)
  guard openpty(&user, &program, nil, nil, nil) == 0 else { _exit(1) }
  setsid()
  _ = ioctl(program, UInt(TIOCSCTTY), 0)
  dup2(program, STDIN_FILENO)
  dup2(program, STDERR_FILENO)
}

@Test func `a second panel passes signals on to the handlers before the first`() async {
  await #expect(processExitsWith: .exitCode(7)) {
    openTerminal()
    // Ends the process if a handler passes a signal on to itself.
    alarm(10)
    signal(SIGTERM) { _ in _exit(7) }
    for _ in 1...2 {
      guard let terminal = RawTerminal(environment: ["TERM": "xterm"]), terminal.isActive else {
        _exit(2)
      }
      terminal.leave()
    }
    // Not raise(): threads of Dispatch block signals.
    kill(getpid(), SIGTERM)
    while true { pause() }
  }
}
