import ConnectionTestSupport
import Glibc
import NodeHost
import NodeProtocol
import RenderCore
import TestSupport
import Testing

/// Tests of a node whose host dies, stops or no longer renders, while other hosts play other ports of the
/// same process.
@Suite(.timeLimit(.minutes(Faults.minutes))) struct HostFaultTests {
  private let host = AudioHost(name: "Tester")

  @Test(arguments: ["crashes 1", "crashes 3", "crashes 50"])
  func `a port is free after its host ends inside a cycle`(fault: String) throws {
    try withNode { folder in
      for _ in 0..<4 * faultFactor {
        let first = try Child("host", folder("node"), fault)
        try first.await("initialized")
        first.waitUntilExit()
        try expectFree(folder)
      }
    }
  }

  @Test(arguments: [0, 1, 2])
  func `a port is free after its host is killed while it connects, initializes or renders`(
    stage: Int
  ) throws {
    try withNode { folder in
      for round in 0..<6 * faultFactor {
        let first = try Child("host", folder("node"))
        try first.await(["begins", "connected", "initialized"][stage])
        usleep(UInt32(round % 6) * 200)
        first.signal(SIGKILL)
        first.waitUntilExit()
        try expectFree(folder)
      }
    }
  }

  @Test func `an idle host keeps its port only`() throws {
    try withNode { folder in
      let first = try Child("host", folder("node"), "pauses 1")
      try first.await("connected")
      let error = #expect(throws: ConnectionError.self) { try connect(folder) }
      #expect(
        error?.description.contains("in use by test host (process \(first.processID))")
          == true)
      first.signal(SIGKILL)
      first.waitUntilExit()
      try expectFree(folder)
    }
  }

  @Test func `a host that stops rendering, or is stopped, is parked, and its port becomes free`()
    throws
  {
    try withNode("eviction 300") { folder in
      let first = try Child("host", folder("node"), "stops 20")
      try first.await("stops")
      #expect(eventually { (try? rendering(folder)) ?? nil == nil })
      first.signal(SIGKILL)
      first.waitUntilExit()
      try expectFree(folder)
      let second = try Child("host", folder("node"))
      try second.await("renders")
      second.stop()
      #expect(eventually { (try? rendering(folder)) ?? nil == nil })
      second.signal(SIGCONT)
      second.signal(SIGKILL)
      second.waitUntilExit()
      try expectFree(folder)
    }
  }

  @Test func `nothing leaks on either side when hosts come and go`() throws {
    let folder = try Folder()
    let node = try Child.node(folder("node"))
    let count = 1000 * faultFactor
    let host = try Child("host", folder("node"), "reconnects \(count)")
    try host.await("warm")
    #expect(eventually { node.holdings.segments == 0 })
    let before = (node: node.holdings, host: host.holdings)
    host.go()
    try host.await("done")
    for (child, before) in [(node, before.node), (host, before.host)] {
      #expect(eventually { child.holdings.isWithin(before) }, "\(before) → \(child.holdings)")
    }
    host.go()
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become somebody else"))
  func `another user is refused with the reason`() throws {
    try withNode { folder in
      chmod(folder.path, 0o755)
      let stranger = try Child("host", folder("node"), "user 65534")
      let failure = try stranger.await("failed")
      #expect(failure == "failed: this node belongs to user 0: run the host as the same user")
      try expectFree(folder)
    }
  }

  private func connect(_ folder: Folder, _ number: Int = 0) throws -> Connection {
    try host.connect(to: pulses(number), ofNode: "test", socketPath: folder("node"))
  }

  /// Returns the state of port 0's rendering.
  private func rendering(_ folder: Folder) throws -> PortReport.Rendering? {
    try host.report(ofNode: "test", socketPath: folder("node")).ports[0].rendering
  }

  /// Checks that a host can connect to the port and play it, without events of the previous host.
  private func expectFree(_ folder: Folder) throws {
    let connection = try connect(folder)
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    #expect(connection.schedule(note(5), at: 9) == .accepted)
    let (status, left, right) = connection.rendered(64)
    #expect(status == .rendered)
    #expect(pulsePositions(left) == [9: 5])
    #expect(right == (0..<64).map(Float.init))
    connection.close()
  }

  /// Calls `body` while two other hosts play ports 1 and 2, and checks that these are not affected.
  private func withNode(_ options: String = "", _ body: (Folder) throws -> Void) throws {
    let folder = try Folder()
    let node = try Child.node(folder("node"), "ports 3 " + options)
    let bystanders = try [1, 2].map { try Bystander(connect(folder, $0), seed: UInt64($0)) }
    do {
      try body(folder)
      let before = bystanders.map(\.cycles)
      #expect(eventually { zip(bystanders, before).allSatisfy { $0.cycles > $1 + 10 } })
    } catch {
      for bystander in bystanders { _ = bystander.stop() }
      throw error
    }
    for bystander in bystanders { #expect(bystander.stop() == []) }
    #expect(node.isRunning)
  }
}

extension Child.Holdings {
  /// Whether these resources exceed those before 800 connections at most by less memory than a leak would.
  fileprivate func isWithin(_ before: Child.Holdings) -> Bool {
    descriptors <= before.descriptors && threads <= before.threads && segments <= before.segments
      // A leak of a kilobyte per connection would add at least 800.
      && memory < before.memory + 600
  }
}
