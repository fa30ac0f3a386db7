import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import NodeProtocol

@Test func `a node publishes, publishes again and ends`() throws {
  let nodes = try TemporaryNodes()
  #expect(RunningNode.all(in: nodes.directories) == [])
  let node = try RunningNode.claim("organ", in: nodes.directories)
  #expect(node.socketPath == "\(nodes.directories.runtime)/organ.socket")
  #expect(
    RunningNode.all(in: nodes.directories)
      == [PublishedNode(name: "organ", processID: getpid(), ports: [])])
  try node.publish([port("org1"), port("org2", icon: "/i.png", tags: ["a"])])
  try node.publish([port("org2")])
  #expect(RunningNode.all(in: nodes.directories).map(\.ports) == [[try port("org2")]])
  #expect(creat(node.socketPath, 0o600) >= 0)
  node.close()
  node.close()
  #expect(RunningNode.all(in: nodes.directories) == [])
  #expect(try nodes.runtimeFiles() == [])
  #expect(throws: NodeError.closed(name: "organ")) { try node.publish([]) }
  #expect(try nodes.runtimeFiles() == [])
}

@Test func `a name has one holder until it is released`() throws {
  let nodes = try TemporaryNodes()
  var first: RunningNode? = try RunningNode.claim("organ", in: nodes.directories)
  let error = #expect(throws: NodeError.self) {
    try RunningNode.claim("organ", in: nodes.directories)
  }
  #expect(error == .nodeIsRunning(name: "organ", processID: getpid()))
  #expect(
    error?.description
      == "the node 'organ' is already running as process \(getpid()): stop it first, or use "
      + "another name")
  _ = try RunningNode.claim("piano", in: nodes.directories)
  #expect(first != nil)
  first = nil
  _ = try RunningNode.claim("organ", in: nodes.directories)
}

@Test func `a component is published once`() throws {
  let nodes = try TemporaryNodes()
  let node = try RunningNode.claim("organ", in: nodes.directories)
  try node.publish([port("org1")])
  #expect(throws: NodeError.publishedTwice(try component("org2"))) {
    try node.publish([port("org1"), port("org2"), port("org2", name: "M: Other")])
  }
  #expect(RunningNode.all(in: nodes.directories).map(\.ports) == [[try port("org1")]])
}

@Test func `a killed process releases its name, and its files are removed`() throws {
  let nodes = try TemporaryNodes()
  let child = try nodes.startNode("organ", ports: [port("org1")])
  try wait { RunningNode.all(in: nodes.directories).first?.processID == child.pid }
  #expect(throws: NodeError.nodeIsRunning(name: "organ", processID: child.pid)) {
    try RunningNode.claim("organ", in: nodes.directories)
  }
  child.kill()
  try wait { child.ending != nil }
  #expect(try nodes.runtimeFiles() == ["organ.json", "organ.lock", "organ.socket"])
  let node = try RunningNode.claim("organ", in: nodes.directories)
  #expect(try nodes.runtimeFiles() == ["organ.json", "organ.lock"])
  #expect(
    RunningNode.all(in: nodes.directories) == [
      PublishedNode(name: "organ", processID: getpid(), ports: [])
    ])
  node.close()
}

@Test func `a search removes the files of a crashed node`() throws {
  let nodes = try TemporaryNodes()
  let child = try nodes.startNode("organ", ports: [port("org1")])
  try wait { RunningNode.all(in: nodes.directories).count == 1 }
  child.kill()
  try wait { child.ending != nil }
  #expect(RunningNode.all(in: nodes.directories) == [])
  #expect(try nodes.runtimeFiles() == ["organ.lock"])
}

@Test func `a search does not prevent a claim`() throws {
  let nodes = try TemporaryNodes()
  let directories = nodes.directories
  try RunningNode.claim("organ", in: directories).close()
  let lookers = (1...3).map { _ in
    TestThread { for _ in 1...300 { _ = RunningNode.all(in: directories) } }
  }
  for _ in 1...100 { try RunningNode.claim("organ", in: directories).close() }
  for looker in lookers { looker.join() }
}

@Test func `a child that is being started does not hold a name`() throws {
  let nodes = try TemporaryNodes()
  let directories = nodes.directories
  let done = Flag()
  let starter = TestThread {
    while !done.isRaised {
      guard
        let program = try? DetachedProgram("/bin/true", arguments: ["true"], variables: [:], log: 2)
      else { continue }
      _ = eventually { program.ending != nil }
    }
  }
  defer {
    done.raise()
    starter.join()
  }
  for _ in 1...200 { try RunningNode.claim("organ", in: directories).close() }
}

@Test func `of many threads that claim a name at once, one holds it`() throws {
  let nodes = try TemporaryNodes()
  let directories = nodes.directories
  for _ in 1...20 {
    let holders = Holders()
    let threads = (1...4).map { _ in
      TestThread {
        if let node = try? RunningNode.claim("organ", in: directories) { holders.add(node) }
      }
    }
    for thread in threads { thread.join() }
    #expect(holders.count == 1)
  }
}

@Test func `an invalid description of a node is reported, and other nodes are found`() throws {
  let nodes = try TemporaryNodes()
  let organ = try RunningNode.claim("organ", in: nodes.directories)
  let piano = try RunningNode.claim("piano", in: nodes.directories)
  let file = nodes.directories.publishedFile(of: "organ")
  for (text, reason) in [
    ("{", "line 1, column 2: the file ends before the '}' of the '{' at line 1, column 1"),
    ("{name: 'organ', ports: []}", "line 1, column 1: 'processID' is missing"),
    ("{name: 'organ', processID: -1, ports: []}", "'processID' is -1, which is not a process ID"),
    ("{name: 'flute', processID: 1, ports: []}", "'name' is 'flute', not the name of the file"),
  ] {
    try nodes.system.add("runtime/portative/organ.json", text)
    let read = RunningNode.read(in: nodes.directories)
    #expect(read.nodes.map(\.name) == ["piano"])
    #expect(
      read.problems == [
        ComponentProblem(
          path: file,
          message: "the list of ports in '\(file)' is unusable: \(reason); stop the node"
        )
      ])
  }
  organ.close()
  piano.close()
}

@Test func `a runtime folder that is open to other users is refused`() throws {
  let nodes = try TemporaryNodes()
  let node = try RunningNode.claim("organ", in: nodes.directories)
  #expect(chmod(nodes.directories.runtime, 0o777) == 0)
  let read = RunningNode.read(in: nodes.directories)
  #expect(read.nodes == [])
  #expect(read.problems.map(\.path) == [nodes.directories.runtime])
  node.close()
}
