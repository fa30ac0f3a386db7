import ConnectionTestSupport
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore
import TestSupport
import Testing

/// Tests of a host whose node dies, stops or is slow, while other nodes play.
@Suite(.timeLimit(.minutes(Faults.minutes))) struct NodeFaultTests {
  private let host = AudioHost(name: "Tester")

  @Test(arguments: [RenderMode.offline, .realtime], ["hangs 5", "crashes 5", "hangs 1"])
  func `after a node ends inside a cycle, its host has silence immediately and permanently`(
    mode: RenderMode, fault: String
  ) throws {
    try withBystander { folder in
      for round in 0..<2 * faultFactor {
        let path = folder("node\(round)")
        let node = try Child.node(path, fault)
        let connection = try connect(path)
        connection.lateLimit = .max
        let changes = Log()
        connection.onChange = { changes.add("\($0)") }
        try connection.initialize(Format(maximumFrames: 64), mode: mode)
        let killer = TestThread { [processID = node.processID] in
          // The node is in the cycle that never ends.
          let last = Int(fault.split(separator: " ")[1])!
          _ = eventually { (try? self.cycles(path)) ?? last >= last }
          kill(processID, SIGKILL)
        }
        let isLost = eventually {
          let (status, left, right) = connection.rendered(64)
          if status != .rendered { #expect(left == right && left.allSatisfy { $0 == 0 }) }
          return status == .connectionLost
        }
        #expect(isLost)
        killer.join()
        #expect(connection.status == .lost(.nodeEnded))
        #expect(connection.schedule(note(1), at: 0) == .notRunning)
        #expect(failure { try connection.initialize(Format()) } == .connectionLost(.nodeEnded))
        #expect(eventually { changes.lines == ["lost: the node has ended"] })
      }
    }
  }

  @Test func `if a node ends during a request, the request fails immediately`() throws {
    try withBystander { folder in
      for round in 0..<10 * faultFactor {
        let path = folder("node\(round)")
        let node = try Child.node(path)
        let killer = TestThread { [processID = node.processID] in
          usleep(UInt32(round % 10) * 300)
          kill(processID, SIGKILL)
        }
        // Any result is acceptable, but the calls must return.
        for _ in 0..<20 {
          guard let connection = try? connect(path) else { break }
          try? connection.initialize(Format(), mode: .offline)
          connection.uninitialize()
          connection.close()
        }
        killer.join()
        let error = #expect(throws: ConnectionError.self) { _ = try connect(path) }
        #expect(
          error == .notRunning(node: "test") || error == .connectionLost(.nodeEnded))
      }
    }
  }

  @Test
  func `bounded wait: a stopped node is silent, and plays when it is continued`()
    throws
  {
    try withBystander { folder in
      let path = folder("node")
      let node = try Child.node(path)
      let connection = try connect(path)
      connection.lateLimit = .max
      try connection.initialize(Format(maximumFrames: 64))
      for _ in 0..<3 * faultFactor {
        #expect(eventually { connection.rendered(64).status == .rendered })
        node.stop()
        let begin = MonotonicClock.now
        var late = 0
        for _ in 0..<200 where connection.rendered(64).status == .late { late += 1 }
        #expect(late >= 199)
        #expect(MonotonicClock.now - begin < 10_000_000_000)
        #expect(connection.schedule(note(99), at: 7) == .accepted)
        #expect(connection.rendered(64).status == .late)
        node.signal(SIGCONT)
        // Events that were scheduled meanwhile act when the node is back.
        #expect(try pulsePositions(#require(connection.caughtUp(64))) == [0: 99])
      }
    }
  }

  @Test func `a node that is stopped for long is parked, and can be initialized again`() throws {
    try withBystander { folder in
      let path = folder("node")
      let node = try Child.node(path)
      let connection = try connect(path)
      connection.lateLimit = 20
      for _ in 0..<2 * faultFactor {
        try connection.initialize(Format(maximumFrames: 64))
        node.stop()
        #expect(eventually { connection.rendered(64).status == .parked })
        #expect(connection.status == .parked(.late))
        node.signal(SIGCONT)
        try connection.initialize(Format(maximumFrames: 64), mode: .offline)
        #expect(connection.rendered(64).status == .rendered)
        connection.uninitialize()
      }
    }
  }

  @Test func `a slow node is parked, and plays with longer cycles`() throws {
    try withBystander { folder in
      let path = folder("node")
      let node = try Child.node(path, "slow 3000")
      let connection = try connect(path)
      connection.lateLimit = 10
      for _ in 0..<2 * faultFactor {
        // 3 ms of work in cycles of 1.3 ms.
        try connection.initialize(Format(maximumFrames: 64))
        #expect(eventually { connection.rendered(64).status == .parked })
        #expect(connection.statistics.lateCycles >= 10)
        try connection.initialize(Format(maximumFrames: 1024), mode: .offline)
        #expect(connection.rendered(1024).status == .rendered)
        connection.uninitialize()
      }
      #expect(node.isRunning)
    }
  }

  private func connect(_ path: String, _ number: Int = 0) throws -> Connection {
    try host.connect(to: pulses(number), ofNode: "test", socketPath: path)
  }

  /// Returns the number of cycles that the node's first port has begun.
  private func cycles(_ path: String) throws -> Int? {
    try host.report(ofNode: "test", socketPath: path).ports[0].rendering?.unit[0].value
  }

  /// Calls `body` while another host plays another node, and checks that this host is not affected.
  private func withBystander(_ body: (Folder) throws -> Void) throws {
    let folder = try Folder()
    let node = try Child.node(folder("bystander"))
    let bystander = try Bystander(connect(folder("bystander")), seed: 1)
    do {
      try body(folder)
      let before = bystander.cycles
      #expect(eventually { bystander.cycles > before + 10 })
    } catch {
      _ = bystander.stop()
      throw error
    }
    #expect(bystander.stop() == [])
    #expect(node.isRunning)
  }
}
