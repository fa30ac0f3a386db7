import Glibc
import LocalSystem
import TestSupport
import Testing

@Test func `a lock is held until it goes`() throws {
  let system = TemporarySystem()
  let file = try system.add("x", "")
  var lock = try FileLock.take(file, mode: 0o600)
  #expect(lock != nil)
  #expect(try FileLock.take(file, mode: 0o600) == nil)
  #expect(FileLock.isHeld(file) { Issue.record("it is held") })
  lock = nil
  var isFree = false
  #expect(!FileLock.isHeld(file) { isFree = true })
  #expect(isFree)
  #expect(!FileLock.isHeld("\(system.root)/none") { Issue.record("it is not there") })
  #expect(access("\(system.root)/none", F_OK) != 0)
}

@Test func `who takes a lock waits for one who only looks`() throws {
  let system = TemporarySystem()
  let file = try system.add("x", "")
  var taker: TestThread?
  let taken = Flag()
  _ = FileLock.isHeld(file) {
    taker = TestThread {
      _ = try? FileLock.take(file, mode: 0o600)
      taken.raise()
    }
    usleep(20_000)
    #expect(!taken.isRaised)
  }
  taker?.join()
  #expect(taken.isRaised)
}
