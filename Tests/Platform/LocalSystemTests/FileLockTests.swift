import Glibc
import LocalSystem
import Synchronization
import TestSupport
import Testing

@Test func `a lock is held until it goes`() throws {
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

@Test func `who takes a lock waits for one who only looks`() throws {
  let system = TemporarySystem()
  let file = try system.add("x", "")
  var taker: TestThread?
  let taken = Flag()
  _ = FileLock.isHeld(file) { _ in
    taker = TestThread {
      _ = try? FileLock.acquire(file, mode: 0o600)
      taken.raise()
    }
    usleep(20_000)
    #expect(!taken.isRaised)
  }
  taker?.join()
  #expect(taken.isRaised)
}

@Test func `who waits for a lock whose file is removed gets that of the new file`() throws {
  let system = TemporarySystem()
  let file = try system.add("x", "")
  var taker: TestThread?
  let taken = Flag()
  _ = FileLock.isHeld(file) { _ in
    taker = TestThread {
      let lock = try? FileLock.acquire(file, mode: 0o600)
      taken.raise()
      usleep(100_000)
      withExtendedLifetime(lock) {}
    }
    usleep(20_000)
    unlink(file)
  }
  while !taken.isRaised { usleep(1000) }
  #expect(try FileLock.acquire(file, mode: 0o600) == nil)
  #expect(FileLock.isHeld(file))
  taker?.join()
}

@Test func `who has looked at a file that is another by now removes nothing`() throws {
  let system = TemporarySystem()
  let file = try system.add("x", "")
  _ = FileLock.isHeld(file) { _ in
    // While one process removes the file, no other does.
    _ = FileLock.isHeld(file) { _ in Issue.record("two at once") }
  }
}

/// Removes old lock files while other threads acquire and release the locks.
@Test func `however locks are taken, released and cleared away, each has one holder whom all see`()
  throws
{
  let system = TemporarySystem()
  try system.add("x", "")
  let holders = Mutex<Set<String>>([])
  let failures = Atomic(0)
  let names = ["a", "b"].map { "\(system.root)/\($0).lock" }
  let isOver = Flag()
  let lookers = (1...3).map { _ in
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
  for looker in lookers { looker.join() }
  #expect(failures.load(ordering: .relaxed) == 0)
}
