import Foundation
import LocalSystem
import ProgramTestSupport
import Testing

@testable import portative

extension TemporaryFolder {
  /// Puts a file into a folder within this one.
  @discardableResult func plant(_ path: String, _ data: Data = Data("MThd".utf8)) throws -> String {
    let folder = URL(filePath: self(path)).deletingLastPathComponent().path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try put(data, path)
  }
}

@Test func `finds the songs of a folder and of those in it, by name and in order`() throws {
  let folder = try TemporaryFolder()
  for path in [
    "b.MID", "a/z.kar", "a/b/c.midi", "a/ä.smf", "x.rmi", "notes.txt", "a/mid", "._b.mid",
    ".hidden/d.mid", "b.mid.bak",
  ] {
    try folder.plant(path)
  }
  let walk = SongWalk(folder.path)
  #expect(walk.songs == ["a/b/c.midi", "a/z.kar", "a/ä.smf", "b.MID", "x.rmi"])
  #expect(walk.others == ["a/mid", "b.mid.bak", "notes.txt"])
  #expect(walk.problems == [])
}

@Test func `follows links, and enters no folder twice`() throws {
  let folder = try TemporaryFolder()
  let other = try TemporaryFolder()
  try other.plant("far.mid")
  try folder.plant("a/b.mid")
  let files = FileManager.default
  try files.createSymbolicLink(atPath: folder("a/up"), withDestinationPath: "..")
  try files.createSymbolicLink(atPath: folder("c"), withDestinationPath: other.path)
  try files.createSymbolicLink(atPath: folder("d.mid"), withDestinationPath: "a/b.mid")
  #expect(SongWalk(folder.path).songs == ["a/b.mid", "c/far.mid", "d.mid"])
}

@Test func `a pipe in a folder is not waited for, and a broken link is told of`() throws {
  let folder = try TemporaryFolder()
  try #require(mkfifo(folder("a.mid"), 0o600) == 0)
  try FileManager.default.createSymbolicLink(
    atPath: folder("b.mid"), withDestinationPath: "nowhere")
  let walk = SongWalk(folder.path)
  #expect(walk.songs == [])
  #expect(walk.others == ["a.mid"])
  #expect(walk.problems.map(\.path) == ["b.mid"])
  #expect(walk.problems.first?.failure.code == .inputUnusable)
}

@Test func `a song may have any bytes for a name`() throws {
  let folder = try TemporaryFolder()
  for name in ["x\u{10FEE9}.mid", "e\u{301}.mid", "\u{E9}.mid"] {
    try WholeFile.write([], to: folder(name))
  }
  let walk = SongWalk(folder.path)
  #expect(
    walk.songs.map { Array($0.utf8) } == [
      Array("e\u{301}.mid".utf8), Array("x\u{10FEE9}.mid".utf8), Array("\u{E9}.mid".utf8),
    ])
  #expect(walk.problems == [])
}
