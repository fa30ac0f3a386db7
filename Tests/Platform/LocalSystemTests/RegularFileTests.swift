import Glibc
import LocalSystem
import TestSupport
import Testing

/// Things that another program can make in place of a file.
private enum Hostile: String, CaseIterable {
  case fifo, socket, folder, linkToDevice, linkToFile, linkToItself, linkToNothing

  func make(_ path: String, in system: TemporarySystem) throws {
    switch self {
    case .fifo: #expect(mkfifo(path, 0o600) == 0)
    case .socket: #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    case .folder: #expect(mkdir(path, 0o700) == 0)
    case .linkToDevice: #expect(symlink("/dev/zero", path) == 0)
    case .linkToFile: #expect(symlink(try system.add("target", "x"), path) == 0)
    case .linkToItself: #expect(symlink(path, path) == 0)
    case .linkToNothing: #expect(symlink("\(system.root)/absent", path) == 0)
    }
  }
}

@Test(.timeLimit(.minutes(1)), arguments: Hostile.allCases)
private func `what is not a regular file is refused without waiting`(kind: Hostile) throws {
  let system = TemporarySystem()
  try system.add("other", "")
  let path = "\(system.root)/x.lock"
  try kind.make(path, in: system)
  for flags in [O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_TRUNC] {
    #expect(throws: WholeFile.Failure.self) {
      try RegularFile.open(path, flags, mode: 0o600)
    }
  }
  #expect(throws: WholeFile.Failure.self) {
    try WholeFile.read(path, limit: 1024, followsLinks: false)
  }
  #expect(!FileLock.isHeld(path) { _ in Issue.record("a lock that is no file was tested") })
  #expect(throws: WholeFile.Failure.self) { try FileLock.acquire(path, mode: 0o600) }
  // Nothing was created or changed behind a link.
  #expect(access("\(system.root)/absent", F_OK) != 0)
  if kind == .linkToFile {
    #expect(try WholeFile.read("\(system.root)/target", limit: 8) == Array("x".utf8))
    #expect(try WholeFile.read(path, limit: 8) == Array("x".utf8))
  }
}

@Test(.timeLimit(.minutes(1)))
func `a lock that another process tests for ever is refused`() throws {
  let system = TemporarySystem()
  let file = try system.add("x.lock", "")
  let tester = open(file, O_RDONLY | O_CLOEXEC)
  defer { close(tester) }
  #expect(flock(tester, LOCK_SH) == 0)
  #expect(try FileLock.acquire(file, mode: 0o600) == nil)
}
