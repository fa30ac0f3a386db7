import Glibc
import Testing

@testable import LocalSystem

@Test func `ends by the signal itself, so that the shell sees it`() async {
  await #expect(processExitsWith: .signal(SIGINT)) { Interruption.end(by: SIGINT) }
  await #expect(processExitsWith: .signal(SIGPIPE)) { Interruption.end(by: SIGPIPE) }
}

@Test func `notes the first signal, and the second ends the program`() async {
  await #expect(processExitsWith: .signal(SIGTERM)) {
    Interruption.watch()
    if Interruption.signal != nil { exit(1) }
    // To the process: the test's own thread has signals blocked.
    kill(getpid(), SIGTERM)
    for _ in 0..<5000 where Interruption.signal == nil { usleep(1000) }
    if Interruption.signal != SIGTERM { exit(2) }
    kill(getpid(), SIGTERM)
    sleep(5)
    exit(3)
  }
}

@Test func `leaves ignored signals ignored, and makes closed pipes an error`() async {
  await #expect(processExitsWith: .exitCode(7)) {
    Glibc.signal(SIGHUP, SIG_IGN)
    Interruption.watch()
    for number in [SIGHUP, SIGPIPE, SIGXFSZ] { kill(getpid(), number) }
    usleep(20000)
    exit(Interruption.signal == nil ? 7 : 1)
  }
}
