import FoundationEssentials
import Glibc
import LocalSystem
import TestSupport
import Testing

@Test func `reads back what was written, and leaves no other file`() throws {
  let system = TemporarySystem()
  let file = try system.add("folder/x", "old and longer")
  try WholeFile.write(Array("new".utf8), to: file)
  #expect(try WholeFile.read(file, limit: 3) == Array("new".utf8))
  #expect(throws: WholeFile.Failure(code: EFBIG)) { try WholeFile.read(file, limit: 2) }
  #expect(try FileManager.default.contentsOfDirectory(atPath: "\(system.root)/folder") == ["x"])
}

@Test func `keeps the old file when the new one cannot be written`() throws {
  let system = TemporarySystem()
  try system.add("folder/x/y", "")
  let error = #expect(throws: WholeFile.Failure.self) {
    try WholeFile.write([1], to: "\(system.root)/folder/x")
  }
  #expect(error?.code == EISDIR)
  #expect(try FileManager.default.contentsOfDirectory(atPath: "\(system.root)/folder") == ["x"])
  #expect(throws: WholeFile.Failure(code: ENOENT)) {
    try WholeFile.write([1], to: "\(system.root)/none/x")
  }
}

@Test func `a reader finds the old bytes or the new, however often they change`() throws {
  let system = TemporarySystem()
  let file = try system.add("x", [UInt8](repeating: 0, count: 50_000))
  let writer = TestThread {
    for value in 1...50 as ClosedRange<UInt8> {
      try? WholeFile.write([UInt8](repeating: value, count: 50_000), to: file)
    }
  }
  var last: UInt8 = 0
  while last < 50 {
    let bytes = try #require(try WholeFile.read(file, limit: 1 << 20))
    last = try #require(bytes.first)
    #expect(bytes == [UInt8](repeating: last, count: 50_000))
  }
  writer.join()
}
