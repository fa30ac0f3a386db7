import ConnectionTestSupport
import Glibc
import NodeHost
import NodeProtocol
import RenderCore
import TestSupport
import Testing

/// Tests of the resources of a node and a host whose peers are killed at random.
@Suite(.timeLimit(.minutes(Faults.minutes))) struct KillTests {
  @Test func `a node has its resources back after its hosts were killed`() throws {
    let folder = try Folder()
    let node = try Child.node(folder("node"), "eviction 100")
    var random = Seeded(Faults.seed(1))
    var before = node.holdings
    let count = Faults.count(usual: 25)
    for round in 0..<count {
      let stage = ["begins", "connected", "initialized", "renders", "stops"].randomElement(
        using: &random)!
      let host = try Child("host", folder("node"), stage == "stops" ? "stops 5" : "")
      try host.await(stage)
      // A host that stops is parked after 100 ms.
      usleep(.random(in: 0..<(stage == "stops" ? 300_000 : 3000), using: &random))
      host.signal(SIGKILL)
      host.waitUntilExit()
      if round == count / 5 {
        #expect(eventually { node.holdings.segments == 0 })
        before = node.holdings
      }
    }
    #expect(eventually { node.holdings.isBack(to: before) }, "\(before) → \(node.holdings)")
    Faults.report(count, "killed hosts: node \(before) → \(node.holdings)")
    #expect(try node.renders())
  }

  @Test func `a host has its resources back after its nodes were killed`() throws {
    let folder = try Folder()
    let path = folder("node")
    let count = Faults.count(usual: 25)
    let host = try Child("host", path, "outlives \(count)")
    var random = Seeded(Faults.seed(2))
    var before = host.holdings
    for round in 0..<count {
      let node = try Child.node(path, "eviction 100")
      // A node that is killed before has no host, which does not count it.
      try host.await("connected")
      usleep(.random(in: 0..<5000, using: &random))
      node.signal(SIGKILL)
      node.waitUntilExit()
      unlink(path)
      if round == count / 5 - 1 {
        try host.await("warm")
        before = host.holdings
        host.go()
      }
    }
    try host.await("done")
    #expect(eventually { host.holdings.isBack(to: before) }, "\(before) → \(host.holdings)")
    Faults.report(count, "killed nodes: host \(before) → \(host.holdings)")
    host.go()
  }
}
