import ConnectionTestSupport
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore
import TestSupport
import Testing

@testable import NodeServer

/// Tests of the round trips that hosts state.
@Suite(.timeLimit(.minutes(5))) struct RoundTripTests {
  @Test func `the figures are the median and the longest of the last five seconds`() {
    let memory = RenderMemory()
    defer { memory.release() }
    let recent = RecentRoundTrips(in: memory)
    #expect(recent.figures(at: 0) == nil)
    // Their times wrap in between.
    let begin = Int64(UInt32.max) << 20
    recent.add(9_000_000, at: begin - 6_000_000_000)
    for number in 1...99 { recent.add(UInt32(number) * 1000, at: begin + Int64(number)) }
    #expect(
      recent.figures(at: begin + 100) == RecentRoundTrips.Figures(median: 50_000, longest: 99_000))
    #expect(recent.figures(at: begin + 4_000_000_000)?.longest == 99_000)
    #expect(recent.figures(at: begin + 6_000_000_000) == nil)
  }

  @Test func `only the latest round trips are kept`() {
    let memory = RenderMemory()
    defer { memory.release() }
    let recent = RecentRoundTrips(in: memory)
    for _ in 0..<10 { recent.add(1_000_000, at: 0) }
    for _ in 0..<RecentRoundTrips.capacity { recent.add(7, at: 0) }
    #expect(recent.figures(at: 0) == RecentRoundTrips.Figures(median: 7, longest: 7))
  }

  @Test(
    arguments: [
      (0, nil), (1, nil), (299, nil), (300, 300), (301, 301), (1500, 1500), (1501, nil),
      (.max, nil),
    ] as [(UInt32, UInt32?)])
  func `a round trip that the node's own times contradict is ignored`(
    stated: UInt32, kept: UInt32?
  ) {
    let memory = RenderMemory()
    defer { memory.release() }
    let recent = RecentRoundTrips(in: memory)
    var check = RoundTripCheck(recent, since: 0)
    check.begin(0, at: 50)
    check.end(at: 100)
    // It rendered the next cycle for 300 ns, and 1500 ns have passed since the cycle before.
    check.begin(0, at: 1000)
    check.end(at: 1300)
    check.begin(stated, at: 1600)
    #expect(recent.figures(at: 1600)?.longest == kept)
  }

  @Test func `each host's round trips are reported`() throws {
    let server = try TestServer(maximumHosts: 3)
    let hosts = try ["One", "Two", "Three"].map { name in
      try server.connect(from: AudioHost(name: name))
    }
    for (host, frames) in zip(hosts, [64, 1024, 64]) {
      host.deadlineFraction = 1000
      try host.initialize(
        Format(maximumFrames: frames), mode: host === hosts[2] ? .offline : .realtime)
      for _ in 0..<5 { #expect(host.rendered(frames).status == .rendered) }
    }
    let all = try #require(server.port.report.roundTrips)
    // An offline host waits for no sound.
    #expect(all.map(\.host.name) == ["One", "Two"])
    for (roundTrips, host) in zip(all, hosts) {
      // The host has not stated its last one yet.
      #expect(roundTrips.median > 0)
      #expect(roundTrips.median <= roundTrips.longest)
      #expect(roundTrips.longest <= Double(host.statistics.roundTrips.longest) / 1000 + 0.1)
    }
    hosts[0].close()
    #expect(eventually { server.port.report.roundTrips?.map(\.host.name) == ["Two"] })
  }

  @Test func `a host that states nothing, or anything, has no round trips beyond its cycles`()
    throws
  {
    let server = try TestServer()
    for isLying in [false, true] {
      let host = try RawHost(server.socketPath)
      try host.openSoon()
      let segment = try host.initialize(isOffline: false)
      var random = Seeded(1)
      let begin = MonotonicClock.now
      for number in 1...200 as ClosedRange<UInt32> {
        if isLying { segment.cycle.roundTrip = UInt32(truncatingIfNeeded: random.next()) }
        #expect(host.cycle(segment, number: number))
      }
      let longest = server.port.report.roundTrips?.first?.longest ?? 0
      #expect(longest <= (isLying ? Double(MonotonicClock.now - begin) / 1000 + 0.1 : 0))
      host.socket.shutDown()
    }
  }

  @Test func `a report has the hosts with the longest round trips, and fits into a packet`() throws
  {
    let count = PublishedPort.reportedRoundTrips + 4
    let server = try TestServer(maximumHosts: count)
    let name = String(repeating: "\u{1}", count: 255)
    let hosts = try (0..<count).map { _ in try server.connect(from: AudioHost(name: name)) }
    for host in hosts {
      host.deadlineFraction = 1000
      try host.initialize(Format(maximumFrames: 64))
      for _ in 0..<3 { #expect(host.rendered(64).status == .rendered) }
    }
    let report = try AudioHost(name: "x").report(ofNode: "test", socketPath: server.socketPath)
    #expect(report.ports.first?.roundTrips?.count == PublishedPort.reportedRoundTrips)
  }
}
