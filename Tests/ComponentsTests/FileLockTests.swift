@testable import Components
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Test func `a lock is held until it goes`() throws {
  let system = TemporarySystem()
  let file = try system.add("x", "")
  var lock = try FileLock.exclusive(file)
  #expect(lock != nil)
  #expect(try FileLock.exclusive(file) == nil)
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
      _ = try? FileLock.exclusive(file)
      taken.raise()
    }
    usleep(20_000)
    #expect(!taken.isRaised)
  }
  taker?.join()
  #expect(taken.isRaised)
}

@Test func `a lock's file is left alone by those who tidy up`() throws {
  let system = TemporarySystem()
  try system.add("x", "")
  _ = try FileLock.exclusive("\(system.root)/lock")
  var status = stat()
  #expect(stat("\(system.root)/lock", &status) == 0 && status.st_mode & S_ISVTX != 0)
}

@Test func `says where a lock cannot be made`() {
  #expect(throws: NodeError.cannotWrite(path: "/none/x", code: ENOENT)) {
    try FileLock.exclusive("/none/x")
  }
}
