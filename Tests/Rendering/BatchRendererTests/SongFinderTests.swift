import Foundation
import LocalSystem
import ProgramTestSupport
import TestSupport
import Testing

@testable import BatchRenderer

@Test func `finds the songs of a folder and of those in it, by name and in order`() throws {
  let folder = try TemporaryFolder()
  for path in [
    "b.MID", "a/z.kar", "a/b/c.midi", "a/ä.smf", "x.rmi", "notes.txt", "a/mid", "._b.mid",
    ".hidden/d.mid", "b.mid.bak",
  ] {
    try folder.createFile(path)
  }
  let walk = SongFinder(folder.path)
  #expect(walk.songs == ["a/b/c.midi", "a/z.kar", "a/ä.smf", "b.MID", "x.rmi"])
  #expect(walk.others == ["a/mid", "b.mid.bak", "notes.txt"])
  #expect(walk.problems == [])
}

@Test func `symbolic links are followed only if asked, and no folder is entered twice`() throws {
  let folder = try TemporaryFolder()
  let other = try TemporaryFolder()
  try other.createFile("far.mid")
  try folder.createFile("a/b.mid")
  let files = FileManager.default
  try files.createSymbolicLink(atPath: folder("a/up"), withDestinationPath: "..")
  try files.createSymbolicLink(atPath: folder("c"), withDestinationPath: other.path)
  try files.createSymbolicLink(atPath: folder("d.mid"), withDestinationPath: "a/b.mid")
  try files.createSymbolicLink(atPath: folder("e.txt"), withDestinationPath: "a/b.mid")
  let walk = SongFinder(folder.path)
  #expect(walk.songs == ["a/b.mid"])
  #expect(walk.links == ["a/up", "c", "d.mid"])
  #expect(walk.others == ["e.txt"])
  let following = SongFinder(folder.path, .init(followsLinks: true))
  #expect(following.songs == ["a/b.mid", "c/far.mid", "d.mid"])
  #expect(following.links == [])
  // The named folder itself may be a symbolic link.
  #expect(SongFinder(folder("c")).songs == ["far.mid"])
}

@Test(.enabled(if: geteuid() == 0, "mounting needs root"))
func `other file systems are entered only if asked, and those of the kernel never`() throws {
  let folder = try TemporaryFolder()
  for name in ["disk", "proc"] { try Folder.create(folder(name), mode: 0o700) }
  try #require(mount("tmpfs", folder("disk"), "tmpfs", 0, "size=1m") == 0)
  defer { umount(folder("disk")) }
  try #require(mount("proc", folder("proc"), "proc", 0, nil) == 0)
  defer { umount(folder("proc")) }
  try folder.createFile("disk/a.mid")
  try folder.createFile("b.mid")
  let walk = SongFinder(folder.path)
  #expect(walk.songs == ["b.mid"])
  #expect(walk.mounts == ["disk", "proc"])
  let crossing = SongFinder(folder.path, .init(crossesFileSystems: true))
  #expect(crossing.songs == ["b.mid", "disk/a.mid"])
  #expect(crossing.mounts == ["proc"])
  #expect(SongFinder(folder("disk")).songs == ["a.mid"])
}

@Test func `a pipe in a folder is not waited for, and a broken link is reported`() throws {
  let folder = try TemporaryFolder()
  try #require(mkfifo(folder("a.mid"), 0o600) == 0)
  try FileManager.default.createSymbolicLink(
    atPath: folder("b.mid"), withDestinationPath: "nowhere")
  let walk = SongFinder(folder.path, .init(followsLinks: true))
  #expect(walk.songs == [])
  #expect(walk.others == ["a.mid"])
  #expect(walk.problems.map(\.path) == ["b.mid"])
  #expect(walk.problems.first?.failure.kind == .inputUnusable)
  #expect(SongFinder(folder.path).links == ["b.mid"])
}

@Test func `a song may have any bytes for a name`() throws {
  let folder = try TemporaryFolder()
  for name in ["x\u{10FEE9}.mid", "e\u{301}.mid", "\u{E9}.mid"] {
    try WholeFile.write([], to: folder(name))
  }
  let walk = SongFinder(folder.path)
  #expect(
    walk.songs.map { Array($0.utf8) } == [
      Array("e\u{301}.mid".utf8), Array("x\u{10FEE9}.mid".utf8), Array("\u{E9}.mid".utf8),
    ])
  #expect(walk.problems == [])
}
