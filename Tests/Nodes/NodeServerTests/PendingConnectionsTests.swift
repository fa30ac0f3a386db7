import ConnectionTestSupport
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore
import TestSupport
import Testing

@testable import NodeServer

private func sockets(_ count: Int) throws -> [PacketSocket] {
  try (0..<count).map { _ in
    let descriptor = socket(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0)
    if descriptor < 0 { throw SystemError(call: "socket") }
    return PacketSocket(owning: descriptor)
  }
}

@Suite(.timeLimit(.minutes(5))) struct PendingConnectionsTests {
  @Test func `the oldest connection of the process with the most is closed`() throws {
    let all = try sockets(5)
    var pending = PendingConnections(limit: 4, seconds: 1)
    for (index, process) in [1, 2, 2, 3].enumerated() {
      #expect(pending.add(all[index], process: Int32(process), now: Int64(index)) == nil)
    }
    #expect(pending.add(all[4], process: 4, now: 4) === all[1])
    #expect(pending.sockets.map(\.descriptor) == [0, 2, 3, 4].map { all[$0].descriptor })
    #expect(pending.evict() === all[0])
  }

  @Test func `a connection without hello is closed after its time`() throws {
    let all = try sockets(2)
    var pending = PendingConnections(limit: 4, seconds: 1)
    #expect(pending.wait(now: 0) == nil)
    _ = pending.add(all[0], process: 1, now: 0)
    _ = pending.add(all[1], process: 1, now: 500_000_000)
    #expect(pending.wait(now: 0) == 1001)
    #expect(pending.removeOverdue(now: 999_999_999).isEmpty)
    #expect(pending.removeOverdue(now: 1_000_000_000).map(\.descriptor) == [all[0].descriptor])
    #expect(pending.sockets.count == 1)
  }

  @Test
  func
    `1,024 silent connections keep no host out, and are refused with a reason`()
    throws
  {
    let server = try TestServer()
    let player = try server.running()
    try server.server.publish(pulsePort(1), server.source)
    let crowd = try (0..<1024).map { _ in try RawHost(server.socketPath) }
    let connection = try server.connect(pulses(1))
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    #expect(connection.rendered(64).status == .rendered)
    #expect(player.rendered(64).status == .rendered)
    #expect(try crowd[0].refusal()?.code == .tooManyConnections)
  }

  @Test
  func `with any number of idle hosts another is accepted, and a host with a port keeps it`()
    throws
  {
    let server = try TestServer()
    try server.server.publish(pulsePort(1), server.source)
    let player = try server.running()
    let hello = Hello(peer: Peer(name: "x", processID: 1))
    let crowd = try (0..<server.server.maximumHosts * 2).map { _ in
      let host = try RawHost(server.socketPath)
      _ = try host.ask(hello)
      // The host that has been silent for the longest time is refused first.
      server.clock.advance(seconds: 0.001)
      return host
    }
    _ = try server.connect(pulses(1))
    #expect(player.rendered(64).status == .rendered)
    #expect(try crowd[0].refusal()?.code == .tooManyConnections)
  }

  @Test func `a connection without hello is refused with a reason and closed`() throws {
    let server = try TestServer()
    let silent = try RawHost(server.socketPath)
    let rude = try RawHost(server.socketPath)
    try rude.send(Array("{}".utf8))
    #expect(try rude.refusal()?.code == .badMessage)
    server.clock.advance(seconds: 2)
    for host in [silent, rude] {
      #expect(try host.refusal()?.message.contains("must send hello within 2 s") == true)
      #expect(try host.receive() == nil)
    }
  }

  @Test(arguments: [(64, 16), (256, 64), (1024, 256), (1 << 20, 1024), (0, 8)])
  func `fewer hosts are accepted if few descriptors may be open`(descriptors: Int, hosts: Int) {
    #expect(NodeServer.maximumHosts(descriptors: descriptors) == hosts)
  }
}
