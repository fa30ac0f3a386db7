import AudioFile
import Glibc
import TestSupport
import Testing

@testable import OfflineRenderer

private func portion(_ number: Int, _ length: Int) -> [Float] {
  (0..<length).map { Float(number * 31 + $0) }
}

/// Appends portions of varying lengths to a buffer and returns the replayed portions.
private func kept(_ count: Int, _ length: (Int) -> Int, folder: String, together: Int = 1) throws
  -> [[Float]]
{
  var spool = NormalizationBuffer(folder: folder)
  for number in 0..<count {
    try portion(number, length(number)).withUnsafeBufferPointer { try spool.append($0) }
  }
  var found: [[Float]] = []
  try spool.replay(together: together) { pieces throws(RenderError) in
    for piece in pieces { found.append(Array(piece)) }
  }
  return found
}

@Test(arguments: [(0, 1), (1, 1), (50, 1), (700, 1), (700, 7), (1400, 2)])
func `frames are read back in order, from memory and from the file`(count: Int, together: Int)
  throws
{
  let folder = try TemporaryFolder()
  let length = { (number: Int) in number % 5 == 0 ? 8192 : 1 + number * 131 % 8192 }
  let found = try kept(count, length, folder: folder.path, together: together)
  #expect(found.count == count)
  for (number, samples) in found.enumerated() {
    #expect(samples == portion(number, length(number)))
  }
  #expect(folder.names == [])
}

@Test func `the temporary file has no name`() throws {
  let folder = try TemporaryFolder()
  var spool = NormalizationBuffer(folder: folder.path)
  for _ in 0..<300 {
    try portion(0, 8192).withUnsafeBufferPointer { try spool.append($0) }
  }
  #expect(folder.names == [])
  _ = consume spool
}

@Test func `if no file can be created in one folder, another is used`() throws {
  let found = try kept(300, { _ in 8192 }, folder: "/nowhere")
  #expect(found.count == 300)
}

@Test(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
func `a disk that fills up is reported`() throws {
  let folder = try TemporaryFolder()
  try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=1m") == 0)
  defer { umount(folder.path) }
  #expect(throws: AudioFileError.cannotWrite(path: folder.path, code: ENOSPC)) {
    _ = try kept(300, { _ in 8192 }, folder: folder.path)
  }
  #expect(folder.names == [])
}
