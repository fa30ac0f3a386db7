import Glibc
import LocalSystem
import TestSupport
import Testing

@testable import NodeProtocol

/// Sets a file's times to `seconds` seconds ago.
private func age(_ path: String, by seconds: Int) {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  now.tv_sec -= seconds
  var times = [now, now]
  utimensat(AT_FDCWD, path, &times, 0)
}

@Test func `the lock of a crashed node is removed, unless a new node may own it`() throws {
  let nodes = try TemporaryNodes()
  let child = try nodes.startNode("organ", ports: [port("org1")])
  try wait { RunningNode.all(in: nodes.directories).count == 1 }
  let lock = nodes.directories.lockFile(of: "organ")
  age(lock, by: 60)
  #expect(RunningNode.all(in: nodes.directories).count == 1)
  #expect(access(lock, F_OK) == 0)
  child.kill()
  try wait { child.ending != nil }
  age(lock, by: 0)
  #expect(RunningNode.all(in: nodes.directories) == [])
  #expect(try nodes.runtimeFiles() == ["organ.lock"])
  age(lock, by: 60)
  #expect(RunningNode.all(in: nodes.directories) == [])
  #expect(try nodes.runtimeFiles() == [])
}

@Test func `files of killed hosts and incomplete lists are removed`() throws {
  let nodes = try TemporaryNodes()
  try nodes.directories.prepareRuntime()
  let directories = nodes.directories
  let held = try FileLock.exclusive(directories.launchLockFile(of: "held"))
  for name in ["dead.turn", ".1-old.partial", ".2-new.partial"] {
    try nodes.system.add("runtime/portative/\(name)", "")
  }
  age("\(directories.runtime)/.1-old.partial", by: 120)
  _ = RunningNode.all(in: directories)
  #expect(try nodes.runtimeFiles() == [".2-new.partial", "held.turn"])
  withExtendedLifetime(held) {}
}

@Test func `nodes are found while they run, and leave no files`() throws {
  let nodes = try TemporaryNodes()
  let directories = nodes.directories
  let isOver = Flag()
  let faults = Numbers()
  let lookers = (1...2).map { _ in
    TestThread { while !isOver.isRaised { _ = RunningNode.all(in: directories) } }
  }
  let owners = (1...4).map { number in
    TestThread {
      for round in 1...60 {
        // In every second round, two threads claim the same name.
        let name = "node\(round % 2 == 0 ? number / 2 : number + 10)"
        guard let node = try? RunningNode.claim(name, in: directories) else { continue }
        let found = try? PublishedNode.find(name, in: directories)
        if found?.processID != getpid() || access(directories.lockFile(of: name), F_OK) != 0 {
          faults.add(Int32(round))
        }
        node.close()
      }
    }
  }
  for owner in owners { owner.join() }
  isOver.raise()
  for looker in lookers { looker.join() }
  _ = RunningNode.all(in: directories)
  #expect(faults.values == [])
  #expect(try nodes.runtimeFiles().filter { !$0.hasSuffix(".lock") } == [])
}
