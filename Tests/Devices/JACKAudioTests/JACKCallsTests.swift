import Glibc
import Testing

@testable import JACKAudio

@Suite(.timeLimit(.minutes(5))) struct JACKCallsTests {
  @Test
  func `a call that writes to a closed socket does not end the process, nor does the next one`()
    async
  {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let calls = JACKCalls()
      for _ in 1...3 {
        let error = calls.perform(within: 60) { () -> CInt in
          var ends: [CInt] = [-1, -1]
          pipe(&ends)
          close(ends[0])
          let count = write(ends[1], [1], 1)
          let error = errno
          close(ends[1])
          return count == -1 ? error : 0
        }
        if error != EPIPE { exit(1) }
      }
      exit(0)
    }
  }

  @Test func `the signal is blocked during a call, as in the threads that the library starts then`()
    async
  {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let calls = JACKCalls()
      let isBlocked = calls.perform(within: 60) { () -> Bool in
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return sigismember(&mask, SIGPIPE) == 1
      }
      exit(isBlocked == true ? 0 : 1)
    }
  }
}
