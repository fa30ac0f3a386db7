import Glibc
import LocalSystem
import TestSupport
import Testing

@Test func `lists a folder's entries in order, including hidden files`() throws {
  let system = TemporarySystem()
  for name in ["b", ".a", "c.d"] { try system.add("folder/\(name)", "") }
  #expect(try Folder.names(in: "\(system.root)/folder") == [".a", "b", "c.d"])
  #expect(try Folder.names(in: "\(system.root)/none") == nil)
  #expect(throws: WholeFile.Failure(code: ENOTDIR)) {
    try Folder.names(in: "\(system.root)/folder/b")
  }
}

@Test func `names of any bytes are distinct, and can be opened`() throws {
  let system = TemporarySystem()
  let folder = "\(system.root)/caf\u{10FEE9}"
  try Folder.create(folder, mode: 0o700)
  // Unicode considers the first two equal.
  let names = ["e\u{301}", "\u{E9}", "\u{10FEE9}"]
  for name in names { try WholeFile.write(Array(name.utf8), to: "\(folder)/\(name)") }
  let found = try #require(try Folder.names(in: folder))
  #expect(
    found.map { Array($0.utf8) }.sorted { $0.count < $1.count } == [
      Array("\u{E9}".utf8), Array("e\u{301}".utf8), Array("\u{10FEE9}".utf8),
    ])
  for name in found {
    #expect(try WholeFile.read("\(folder)/\(name)", limit: 100) == Array(name.utf8))
  }
  #expect(resolvedPath("\(folder)/.")?.hasSuffix("/caf\u{10FEE9}") == true)
}

@Test func `creates a folder and its parents, and keeps an existing one`() throws {
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
