import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import NodeProtocol

@Suite(.timeLimit(.minutes(1)))
struct TakeoverTests {
  private let nodes: TemporaryNodes

  init() throws {
    nodes = try TemporaryNodes()
  }

  /// Installs the node `organ`, which writes a line to `starts` when it starts, and starts it for a host.
  private func launch(_ firstLine: String = "") throws -> PublishedNode {
    let script = try nodes.addScript(
      "organ", "\(firstLine)\n\(nodes.nodeScript("organ", ports: [port("org1")]))")
    try NodeManifest(name: "organ", command: [script], ports: [port("org1")])
      .write(to: nodes.directories.manifests[0])
    return try launchAgain()
  }

  private func launchAgain() throws -> PublishedNode {
    try NodeLauncher(nodes.system.environment).launch(
      "organ", publishing: component("org1"), within: .seconds(20))
  }

  @Test func `a node that was started for a host gives up its name`() throws {
    let launched = try launch()
    #expect(launched.wasLaunched)
    var ended: [Int32] = []
    let node = try RunningNode.takeOver("organ", in: nodes.directories) { ended.append($0) }
    #expect(ended == [launched.processID])
    try node.publish([port("org1")])
    let found = try launchAgain()
    #expect(found.processID == getpid() && !found.wasLaunched)
    #expect(try nodes.runtimeFiles() == ["organ.json", "organ.lock"])
  }

  @Test func `a name that is free is claimed`() throws {
    var ended: [Int32] = []
    _ = try RunningNode.takeOver("organ", in: nodes.directories) { ended.append($0) }
    #expect(ended == [])
  }

  @Test func `a node that its user started keeps its name`() throws {
    let child = try nodes.startNode("organ", ports: [port("org1")])
    try wait { RunningNode.all(in: nodes.directories).first?.processID == child.pid }
    #expect(throws: NodeError.nodeIsRunning(name: "organ", processID: child.pid)) {
      try RunningNode.takeOver("organ", in: nodes.directories)
    }
    #expect(child.ending == nil)
  }

  @Test func `a node that does not end keeps its name`() throws {
    let launched = try launch("trap '' TERM")
    #expect(throws: NodeError.nodeIsRunning(name: "organ", processID: launched.processID)) {
      try RunningNode.takeOver("organ", in: nodes.directories, within: .milliseconds(100))
    }
    #expect(try launchAgain() == launched)
  }

  @Test func `hosts that look for the node meanwhile find the new one, and start none`() throws {
    let launched = try launch("echo x >> '\(nodes.system.root)/starts'")
    let isOver = Atomic<Bool>(false)
    let found = Numbers()
    let launcher = NodeLauncher(nodes.system.environment)
    let organ = try component("org1")
    let hosts = (0..<4).map { _ in
      TestThread {
        while !isOver.load(ordering: .relaxed) {
          let node = try? launcher.launch("organ", publishing: organ, within: .seconds(20))
          if let node { found.add(node.processID) }
        }
      }
    }
    let node = try RunningNode.takeOver("organ", in: nodes.directories)
    try node.publish([port("org1")])
    try wait { found.values.contains(getpid()) }
    isOver.store(true, ordering: .relaxed)
    for host in hosts { host.join() }
    #expect(Set(found.values).isSubset(of: [launched.processID, getpid()]))
    let starts = try String(contentsOfFile: "\(nodes.system.root)/starts", encoding: .utf8)
    #expect(starts == "x\n")
  }
}
