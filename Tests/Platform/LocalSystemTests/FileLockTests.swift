import FoundationEssentials
import Glibc
import LocalSystem
import Synchronization
import TestSupport
import Testing

/// The number of this process's descriptors of a file.
private func openCount(of file: String) -> Int {
  let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  return descriptors.count {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == file
  }
}

@Test func `a lock is held until it is freed`() throws {
  let system = TemporarySystem()
  let file = try system.add("x", "")
  var lock = try FileLock.acquire(file, mode: 0o600)
  #expect(lock != nil)
  #expect(try FileLock.acquire(file, mode: 0o600) == nil)
  #expect(FileLock.isHeld(file) { _ in Issue.record("it is held") })
  lock = nil
  var isFree = false
  #expect(!FileLock.isHeld(file) { _ in isFree = true })
  #expect(isFree)
  #expect(!FileLock.isHeld("\(system.root)/none") { _ in Issue.record("it is not there") })
  #expect(access("\(system.root)/none", F_OK) != 0)
}

@Test func `acquiring a lock waits while another thread only tests it`() throws {
  let system = TemporarySystem()
  let file = try system.add("x", "")
  var taker: TestThread?
  let taken = Flag()
  _ = FileLock.isHeld(file) { _ in
    taker = TestThread {
      _ = try? FileLock.acquire(file, mode: 0o600)
      taken.raise()
    }
    #expect(eventually { openCount(of: file) == 2 })
    // Time for a faulty lock to be taken.
    usleep(20_000)
    #expect(!taken.isRaised)
  }
  taker?.join()
  #expect(taken.isRaised)
}

@Test func `a thread that waits for a lock whose file is removed gets the lock of the new file`()
  throws
{
  let system = TemporarySystem()
  let file = try system.add("x", "")
  var taker: TestThread?
  let (taken, isOver) = (Flag(), Flag())
  _ = FileLock.isHeld(file) { _ in
    taker = TestThread {
      let lock = try? FileLock.acquire(file, mode: 0o600)
      taken.raise()
      _ = eventually { isOver.isRaised }
      withExtendedLifetime(lock) {}
    }
    #expect(eventually { openCount(of: file) == 2 })
    unlink(file)
  }
  #expect(eventually { taken.isRaised })
  #expect(try FileLock.acquire(file, mode: 0o600) == nil)
  #expect(FileLock.isHeld(file))
  isOver.raise()
  taker?.join()
}

@Test func `only one thread at a time may remove an unlocked file`() throws {
  let system = TemporarySystem()
  let file = try system.add("x", "")
  _ = FileLock.isHeld(file) { _ in
    // While one process removes the file, no other does.
    _ = FileLock.isHeld(file) { _ in Issue.record("two threads may remove the file") }
  }
}

/// Removes old lock files while other threads acquire and release the locks.
@Test func `each lock has one holder, which every thread sees, while files are removed`()
  throws
{
  let system = TemporarySystem()
  try system.add("x", "")
  let holders = Mutex<Set<String>>([])
  let failures = Atomic(0)
  let names = ["a", "b"].map { "\(system.root)/\($0).lock" }
  let isOver = Flag()
  let testers = (1...3).map { _ in
    TestThread {
      while !isOver.isRaised {
        for name in names { _ = FileLock.isHeld(name) { _ in unlink(name) } }
      }
    }
  }
  let takers = (1...4).map { number in
    TestThread {
      for round in 1...300 {
        let name = names[(round + number) % 2]
        guard let lock = try? FileLock.acquire(name, mode: 0o600) else { continue }
        if !holders.withLock({ $0.insert(name).inserted }) { failures.add(1, ordering: .relaxed) }
        if !FileLock.isHeld(name) { failures.add(1, ordering: .relaxed) }
        _ = holders.withLock { $0.remove(name) }
        // From here on, another thread may lock a file with this name.
        if round % 2 == 0 { lock.removeFile() }
        withExtendedLifetime(lock) {}
      }
    }
  }
  for taker in takers { taker.join() }
  isOver.raise()
  for tester in testers { tester.join() }
  #expect(failures.load(ordering: .relaxed) == 0)
}
