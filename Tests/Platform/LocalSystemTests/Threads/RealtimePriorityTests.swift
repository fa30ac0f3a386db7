import Glibc
import LocalSystem
import Synchronization
import TestSupport
import Testing

/// Whether this process may use realtime priority.
let mayBeRealtime: Bool = {
  let isPermitted = Mutex(false)
  TestThread { isPermitted.withLock { $0 = (try? RealtimePriority.request(1)) != nil } }.join()
  return isPermitted.withLock { $0 }
}()

@Suite(
  .timeLimit(.minutes(5)), .enabled(if: mayBeRealtime, "realtime priority is not permitted here"))
struct RealtimePriorityTests {
  @Test func `a thread has the requested priority, and threads that it starts do not inherit it`()
    throws
  {
    let found = Mutex<[Int]>([])
    TestThread {
      let taken = (try? RealtimePriority.request(7)) ?? -1
      found.withLock { $0 = [taken, SystemThread.currentPriority] }
      TestThread { found.withLock { $0.append(SystemThread.currentPriority) } }.join()
      let started = try? SystemThread(name: "started") {
        found.withLock { $0.append(SystemThread.currentPriority) }
      }
      started?.join()
    }.join()
    #expect(found.withLock { $0 } == [7, 7, 0, 0])
  }

  @Test func `a priority out of range is clamped`() throws {
    let found = Mutex<[Int?]>([])
    TestThread {
      for priority in [0, 1000] {
        found.withLock { $0.append(try? RealtimePriority.request(priority)) }
      }
    }.join()
    #expect(found.withLock { $0 } == [1, 99])
  }

  @Test func `a thread that uses its processor for too long loses realtime priority`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      RealtimeLimit.set(microseconds: 200_000)
      // Twice, because the kernel raises the soft limit when it is reached.
      for _ in 0..<2 {
        TestThread {
          guard (try? RealtimePriority.request(1)) != nil else { exit(1) }
          RealtimeLimit.enableSignal()
          let end = MonotonicClock.now + 5_000_000_000
          while SystemThread.currentPriority > 0 {
            if MonotonicClock.now > end { exit(2) }
          }
        }.join()
      }
      exit(7)
    }
  }
}

@Test func `an error about missing permission states the remedy`() {
  let words = RealtimePriorityError(limit: 0, answer: "No such file or directory").description
  #expect(words.contains("the limit rtprio is 0"))
  #expect(words.contains("install rtkit"))
  #expect(words.contains("'@audio - rtprio 95' into /etc/security/limits.d/audio.conf"))
}
