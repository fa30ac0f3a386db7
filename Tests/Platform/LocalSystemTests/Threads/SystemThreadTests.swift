import Dispatch
import Glibc
import LocalSystem
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SystemThreadTests {
  @Test func `runs its body, with its name, and every signal blocked`() throws {
    let found = Mutex<(name: String, isBlocked: Bool)?>(nil)
    let isNamed = DispatchSemaphore(value: 0)
    let thread = try SystemThread(name: "a name that is too long") {
      isNamed.wait()
      let name =
        (try? WholeFile.read("/proc/thread-self/comm", limit: 64)).map {
          String(decoding: $0, as: UTF8.self)
        } ?? ""
      var blocked = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &blocked)
      let isBlocked = [SIGTERM, SIGINT, SIGHUP, SIGUSR1].allSatisfy {
        sigismember(&blocked, $0) == 1
      }
      found.withLock { $0 = (name, isBlocked) }
    }
    isNamed.signal()
    thread.join()
    #expect(found.withLock { $0?.name } == "a name that is \n")
    #expect(found.withLock { $0?.isBlocked } == true)
  }

  @Test func `inherits ordinary scheduling`() {
    let found = Mutex<CInt?>(nil)
    let batch: CInt = 3  // SCHED_BATCH
    TestThread {
      var none = sched_param(sched_priority: 0)
      sched_setscheduler(0, batch, &none)
      try? SystemThread(name: "batch") { found.withLock { $0 = sched_getscheduler(0) } }.join()
    }.join()
    #expect(found.withLock { $0 } == batch)
  }
}
