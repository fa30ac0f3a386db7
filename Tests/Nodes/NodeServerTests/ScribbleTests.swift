import ConnectionTestSupport
import Glibc
import LocalSystem
import NodeHost
import RenderCore
import TestSupport
import Testing

@testable import NodeProtocol

/// Tests of a node and a host while another thread writes random words to all of their shared memory.
@Suite(.timeLimit(.minutes(Faults.minutes))) struct ScribbleTests {
  @Test func `a node renders on, and leaks nothing, while anything is written anywhere`() throws {
    let folder = try Folder()
    let node = try Child.node(folder("node"))
    let count = Faults.count(usual: 5000)
    var before: Child.Holdings?
    var total = 0
    for round in 0..<6 {
      let host = try RawHost(folder("node"))
      try host.openSoon()
      let segment = try host.initialize(isOffline: round % 2 == 0)
      let scribbler = Scribbler(segment, seed: Faults.seed(round))
      var number: UInt32 = 0
      var cycles = 0
      while cycles < count / 5 {
        for _ in 0..<1000 {
          number &+= 1
          segment.cycle.frames = 1 + number % 64
          segment.written(.toNode).store(segment.read(.toNode).value &+ number % 60)
          segment.cycle.posted.store(number)
          segment.cycle.posted.wake()
          usleep(10)
        }
        let begun = cycles
        let advances = try eventually {
          segment.cycle.posted.wake()
          cycles = try host.ask(GetReport(offset: 0)).items[0].rendering?.cycles ?? 0
          return cycles > begun
        }
        guard advances else {
          Issue.record("the node has stopped after \(cycles) cycles")
          break
        }
      }
      total += cycles
      scribbler.stop()
      #expect(try host.ask(UninitializePort()) == Done())
      host.socket.shutDown()
      if round == 0 {
        #expect(eventually { node.holdings.segments == 0 })
        before = node.holdings
      }
    }
    let after = try #require(before)
    #expect(eventually { node.holdings.isBack(to: after) }, "\(after) → \(node.holdings)")
    Faults.report(total, "scribbled cycles: node \(after) → \(node.holdings)")
    #expect(try node.renders())
  }

  @Test func `a host renders on, and leaks nothing, while anything is written anywhere`() throws {
    let node = try HostileNode { message, _ in
      switch message {
      case Hello.method:
        [Hello.Response(protocol: 2, peer: Peer(name: "hostile", processID: 1))]
      case OpenPort.method: [OpenPort.Response(port: pulsePort())]
      case InitializePort.method: [UnitProperties(latency: 0)]
      default: [Done()]
      }
    }
    let count = Faults.count(usual: 5000)
    let host = try Child("host", node.socketPath, "insists \(count)")
    try host.await("warm")
    let before = host.holdings
    host.go()
    let longest = try host.await("longest", seconds: Faults.seconds(120))
    // The limit of a wait is 1.2 ms, or 100 ms if the timer's thread does not get to run.
    #expect(longest.split(separator: " ").last.flatMap { Int($0) } ?? .max < 2000, "\(longest)")
    try host.await("done")
    #expect(host.holdings.isBack(to: before), "\(before) → \(host.holdings)")
    Faults.report(
      count, "scribbled cycles, \(longest) ms: host \(before) → \(host.holdings)")
    host.go()
  }
}
