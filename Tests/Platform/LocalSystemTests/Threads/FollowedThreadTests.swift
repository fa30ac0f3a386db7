import CLinux
import Glibc
import LocalSystem
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FollowedThreadTests {
  @Test func `a thread beside one that is pinned to a processor runs on the others`() {
    let pinned = Mutex<(thread: FollowedThread, processor: Int32)?>(nil)
    let flag = SharedWords(count: 1)
    defer { flag.destroy() }
    let leader = TestThread {
      SystemThread.pinToCurrentProcessor()
      pinned.withLock { $0 = (.current, SystemThread.pinnedProcessor) }
      while flag[0].value == 0 { flag[0].wait(while: 0, until: nil) }
    }
    #expect(eventually { pinned.withLock { $0 != nil } })
    let result = Mutex<(follows: Bool, processor: Int32)?>(nil)
    TestThread {
      let follows = pinned.withLock { $0 }?.thread.follow() ?? false
      SystemThread.pinToCurrentProcessor()
      result.withLock { $0 = (follows, SystemThread.pinnedProcessor) }
    }.join()
    flag[0].store(1)
    flag[0].wake()
    leader.join()
    let (follows, processor) = result.withLock { $0 } ?? (false, -1)
    // With one processor there is none to run on.
    #expect(follows == (sysconf(CInt(_SC_NPROCESSORS_ONLN)) > 1))
    if follows { #expect(processor != pinned.withLock { $0?.processor }) }
  }

  @Test func `a thread adopts the priority of another, or refuses`() {
    let leader = Mutex<(thread: FollowedThread, priority: Int)?>(nil)
    let flag = SharedWords(count: 1)
    defer { flag.destroy() }
    let thread = TestThread {
      // Fails without permission.
      _ = thread_take_priority(7)
      leader.withLock { $0 = (.current, SystemThread.currentPriority) }
      while flag[0].value == 0 { flag[0].wait(while: 0, until: nil) }
    }
    #expect(eventually { leader.withLock { $0 != nil } })
    let priorities = Mutex<[Int]>([])
    TestThread {
      if leader.withLock({ $0 })?.thread.follow() == true {
        priorities.withLock { $0.append(SystemThread.currentPriority) }
      }
      // A thread that has ended has no priority.
      if FollowedThread(identifier: 0x7FFF_FFFF).priority == 0 {
        priorities.withLock { $0.append(0) }
      }
    }.join()
    let expected = leader.withLock { $0?.priority ?? -1 }
    #expect(priorities.withLock { $0 } == [expected, 0])
    flag[0].store(1)
    flag[0].wake()
    thread.join()
  }
}
