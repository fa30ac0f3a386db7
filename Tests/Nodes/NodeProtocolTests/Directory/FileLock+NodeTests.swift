import Glibc
import LocalSystem
import TestSupport
import Testing

@testable import NodeProtocol

@Test func `the cleanup does not remove the file of a held lock`() throws {
  let system = TemporarySystem()
  try system.add("x", "")
  _ = try FileLock.exclusive("\(system.root)/lock")
  var status = stat()
  #expect(stat("\(system.root)/lock", &status) == 0 && status.st_mode & S_ISVTX != 0)
}

@Test func `states where a lock cannot be created`() {
  #expect(throws: NodeError.cannotWrite(path: "/none/x", code: ENOENT)) {
    try FileLock.exclusive("/none/x")
  }
}
