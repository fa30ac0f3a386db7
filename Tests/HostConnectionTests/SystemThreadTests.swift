import Dispatch
import Glibc
import HostConnection
import Synchronization
import Testing

@Suite struct SystemThreadTests {
  @Test func `runs its body, with its name, and every signal blocked`() throws {
    let found = Mutex<(name: String, isBlocked: Bool)?>(nil)
    let isNamed = DispatchSemaphore(value: 0)
    let thread = try SystemThread(name: "a name that is too long") {
      isNamed.wait()
      let name = (try? String(atPath: "/proc/thread-self/comm")) ?? ""
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

  @Test func `a priority that is out of range is refused`() {
    #expect(!SystemThread.isPermitted(priority: 100))
    #expect(!SystemThread.isPermitted(priority: .max))
    #expect(SystemThread.isPermitted(priority: 0))
  }

  @Test func `the new thread has the priority it was given`() throws {
    try #require(SystemThread.currentPriority == 0)
    if !SystemThread.isPermitted(priority: 7) { return }
    let word = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { word.deallocate() }
    word.initialize(to: 0)
    try SystemThread(name: "fifo", priority: 7, context: word, notePriority).join()
    #expect(word.pointee == 7)
  }
}

@c private func notePriority(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  context?.assumingMemoryBound(to: Int.self).pointee = SystemThread.currentPriority
  return nil
}
