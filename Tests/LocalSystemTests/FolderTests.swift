import Glibc
import LocalSystem
import TestSupport
import Testing

@Test func `names what is in a folder, in order, hidden files too`() throws {
  let system = TemporarySystem()
  for name in ["b", ".a", "c.d"] { try system.add("folder/\(name)", "") }
  #expect(try Folder.names(in: "\(system.root)/folder") == [".a", "b", "c.d"])
  #expect(try Folder.names(in: "\(system.root)/none") == nil)
  #expect(throws: WholeFile.Failure(code: ENOTDIR)) {
    try Folder.names(in: "\(system.root)/folder/b")
  }
}

@Test func `makes a folder and those above it, and leaves one that is there`() throws {
  let system = TemporarySystem()
  let path = "\(system.root)/one/two/three"
  try Folder.create(path, mode: 0o700)
  try Folder.create(path, mode: 0o700)
  var status = stat()
  #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
  try system.add("file", "")
  #expect(throws: WholeFile.Failure(code: ENOTDIR)) {
    try Folder.create("\(system.root)/file/folder", mode: 0o700)
  }
}
