import CLinux
import CSegment
import ConnectionTestSupport
import Foundation
import LocalSystem
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of a node's reactions to messages.
@Suite(.timeLimit(.minutes(Faults.minutes))) struct HostSessionTests {
  private let peer = Peer(name: "raw", processID: 1)

  @Test func `another version is refused with both versions, and disconnected`() throws {
    let server = try TestServer()
    for version in [0, 1, 3, -1, .max] {
      let host = try RawHost(server.socketPath)
      let hello = Hello(protocol: VersionRange(version...version), peer: peer)
      let refusal = try host.refusal(of: hello)
      #expect(refusal?.code == .versionMismatch)
      #expect(
        refusal?.message.contains(
          "versions \(version) to \(version) of the protocol, but this node 2 to 2") == true)
      #expect(try host.receive() == nil)
    }
  }

  @Test func `before it is initialized, each request to the unit is out of sequence`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    try host.open()
    let state = UnitState(component: pulses(), parameters: [:])
    let requests: [any Request] = [
      GetParameters(offset: 0), GetValues(), GetPresets(offset: 0), GetFiles(),
      SetParameters(values: ["gain": 1]), UsePreset(index: 0),
      SetFile(identifier: "x", file: FileReference(path: "/x")), SaveState(),
      RestoreState(state: state),
    ]
    for request in requests {
      let code = try host.refusal(of: request)?.code
      #expect(code == .badSequence, "\(type(of: request).method)")
    }
  }

  @Test func `a second hello is refused, and the first one holds`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    try host.open()
    let second = Hello(features: [], peer: Peer(name: "other", processID: 1))
    #expect(try host.refusal(of: second)?.code == .badSequence)
    #expect(server.port.host?.name == "raw")
    let segment = try host.initialize()
    #expect(host.cycle(segment, number: 1))
  }

  @Test func `the process ID comes from the kernel, not from the host`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    try host.open()
    #expect(server.port.host == Peer(name: "raw", processID: getpid()))
  }

  @Test func `a message out of sequence is refused, and the connection stays`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    let request = InitializePort(Format(maximumFrames: 64), isOffline: false, priority: 0)
    #expect(try host.refusal(of: OpenPort(component: pulses()))?.code == .badSequence)
    #expect(try host.refusal(of: request)?.code == .badSequence)
    try host.open()
    #expect(try host.refusal(of: OpenPort(component: pulses()))?.code == .badSequence)
    #expect(try host.ask(UninitializePort()) == Done())
    try host.send(ParkPort(reason: .late))
    try host.send(PeerNodeNames(names: ["x"]))
    let segment = try host.initialize()
    #expect(host.cycle(segment, number: 1))
    let another = try Segment.make(Format(maximumFrames: 64))
    let descriptor = OwnedDescriptor(another.descriptor)
    #expect(
      try host.refusal(of: request, attached: descriptor.number)?.code == .badSequence)
    #expect(host.cycle(segment, number: 2))
    #expect(try host.ask(UninitializePort()) == Done())
    #expect(server.port.peerNodes == ["x"])
  }

  @Test func `after sixteen invalid messages the host is disconnected`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    for _ in 0..<16 {
      try host.send(Array("nonsense".utf8))
      #expect(try host.refusal()?.code == .badMessage)
    }
    #expect(try host.receive() == nil)
  }

  @Test func `a message that is too long is refused`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    let bytes = [UInt8](repeating: 0x20, count: PacketSocket.limit + 1)
    #expect(packet_send(host.socket.descriptor, bytes, bytes.count, -1, 1) == 0)
    let refusal = try host.refusal()
    #expect(refusal?.code == .badMessage)
    #expect(refusal?.message.contains("65536") == true)
  }

  @Test func `missing or unusable memory is refused, and the host may try again`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    try host.open()
    let format = Format(maximumFrames: 64)
    let request = InitializePort(format, isOffline: false, priority: 0)
    #expect(try host.refusal(of: request)?.code == .unusableMemory)
    let unsealed = OwnedDescriptor(open("/dev/zero", O_RDWR))
    let small = OwnedDescriptor(shared_memory_create("small", 4096))
    let blank = OwnedDescriptor(shared_memory_create("blank", SegmentLayout(format).size))
    let other = OwnedDescriptor(try Segment.make(Format(maximumFrames: 65)).descriptor)
    for descriptor in [unsealed, small, blank, other] {
      let refusal = try host.refusal(of: request, attached: descriptor.number)
      #expect(refusal?.code == .unusableMemory)
    }
    #expect(server.port.format == nil)
    let segment = try host.initialize(format)
    #expect(host.cycle(segment, number: 1))
  }

  @Test func `memory of another layout is refused with both versions and the remedy`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    try host.open()
    let old = OwnedDescriptor(shared_memory_create("old", 69_632))
    var header = segment_header()
    header.magic = UInt64(SEGMENT_MAGIC)
    header.version = 1
    #expect(pwrite(old.number, &header, MemoryLayout<segment_header>.size, 0) > 0)
    let request = InitializePort(Format(maximumFrames: 64), isOffline: false, priority: 0)
    let refusal = try host.refusal(of: request, attached: old.number)
    #expect(refusal?.code == .unusableMemory)
    #expect(
      refusal?.message
        == "the shared memory has layout version 1, but this side supports \(SEGMENT_VERSION): "
        + "use the same version of Portative on both sides")
  }

  @Test(arguments: [
    Format(sampleRate: 0), Format(sampleRate: .max), Format(outputChannels: .min),
    Format(maximumFrames: .max), Format(sampleRate: .min, outputChannels: 0, maximumFrames: -1),
  ])
  func `a format beyond all limits is refused`(format: Format) throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    try host.open()
    let request = InitializePort(format, isOffline: false, priority: 0)
    let refusal = try host.refusal(of: request)
    #expect(refusal?.code == .unsupportedFormat)
    #expect(refusal?.data?.field?.hasPrefix("params.") == true)
    #expect(refusal?.data?.allowed != nil)
  }

  @Test(arguments: [Int.min, -1, 0, 1, 99, 100, .max])
  func `a priority out of range is clamped`(priority: Int) throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    try host.open()
    let segment = try host.initialize(priority: priority)
    #expect(host.cycle(segment, number: 1))
  }

  @Test func `the reason why a unit cannot be made is sent to the host`() throws {
    struct Missing: Error, CustomStringConvertible { let description = "the file is not there" }
    struct Broken: RenderUnitSource {
      func makeUnit(_ format: Format) throws -> any RenderUnit { throw Missing() }
    }
    let server = try TestServer()
    try server.server.publish(pulsePort(1), Broken())
    let connection = try server.connect(pulses(1))
    let error = failure { try connection.initialize(Format()) }
    #expect(error?.description == "Test: Pulses 1 cannot be played: the file is not there")
    #expect(connection.status == .open)
  }

  @Test(arguments: [Int.min, -1, 2, .max])
  func `a report may begin at any port`(first: Int) throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    let report = try host.ask(GetReport(offset: first))
    #expect(report.total == 1)
    #expect(report.items.count == (first < 0 ? 1 : 0))
  }

  @Test(
    .enabled(
      if: Faults.isEndurance, "takes the node's patience of five seconds; `make endurance` runs it")
  )
  func `a host that does not read its answers is disconnected, and its port is free`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    try host.open()
    #expect(throws: SystemError.self) {
      for _ in 0..<1_000_000 { try host.send(GetReport(offset: 0)) }
    }
    #expect(eventually { server.port.host == nil })
  }

  @Test func `a host whose name is too long for messages to others is refused`() throws {
    let server = try TestServer()
    let host = try RawHost(server.socketPath)
    let long = String(repeating: "\u{1}", count: 9000)
    for peer in [
      Peer(name: long, processID: 1), Peer(name: "x", processID: 1, icon: long),
      Peer(name: "x", processID: 1, url: long),
    ] {
      let refusal = try host.refusal(of: Hello(peer: peer))
      #expect(refusal?.code == .badMessage)
      #expect(refusal?.message.contains("but this one has 9000") == true)
    }
    #expect(try host.refusal(of: OpenPort(component: pulses()))?.code == .badSequence)
    let longest = Peer(
      name: String(long.prefix(255)), processID: 1, icon: String(long.prefix(1024)))
    _ = try host.ask(Hello(peer: longest))
    _ = try host.ask(OpenPort(component: pulses()))
    #expect(failure { _ = try server.connect() }?.description.contains("is in use by") == true)
    let report = try AudioHost(name: "x").report(ofNode: "x", socketPath: server.socketPath)
    #expect(report.ports.first?.host?.icon == longest.icon)
  }

  @Test(arguments: [1, 60_000])
  func `a long value in a refusal is cut, and the connection stays`(count: Int) throws {
    let server = try ProbeServer()
    let host = try RawHost(server.test.socketPath)
    try host.open(probePort().component)
    _ = try host.initialize(Format(inputChannels: 2, maximumFrames: 64), isOffline: true)
    for letter in ["/", "ä", "x"] {
      let identifier = String(String(repeating: letter, count: count).utf8.prefix(30_000))!
      let refusal = try host.refusal(of: SetParameters(values: [identifier: 1]))
      #expect(refusal?.code == .badParameter)
      #expect(refusal?.message.hasPrefix("Test: Probe 0: there is no parameter '\(letter)") == true)
      #expect((refusal?.message.utf8.count ?? 0) < 4100)
    }
    #expect(try host.ask(GetValues()).values == [1, 0, 0])
  }

  @Test(.serialized, arguments: 1...2) func `random messages do no harm`(seed: Int) throws {
    let count = (Faults.count(usual: 10_000) + 1) / 2
    try babble(at: TestServer(), messages: count, seed: Faults.seed(seed))
  }

  /// Sends random, truncated, oversized and out-of-order messages while another host plays.
  private func babble(at server: TestServer, messages: Int, seed: UInt64) throws {
    try server.server.publish(pulsePort(1), UntrackedPulseSource())
    let bystander = try Bystander(server.connect(pulses(1)), seed: seed)
    var random = Seeded(seed)
    var babbler = Babbler(
      [
        Babbler.packet(Hello(peer: Peer(name: "babbler", processID: 1))),
        Babbler.packet(GetReport(offset: 0)), Babbler.packet(OpenPort(component: pulses())),
        Babbler.packet(UninitializePort()), Babbler.packet(ParkPort(reason: .late)),
        Babbler.packet(PeerNodeNames(names: ["a"])), Babbler.packet(GetParameters(offset: 0)),
        Babbler.packet(DescribePort(component: pulses())), Babbler.packet(ShowWindow()),
        Babbler.packet(SetParameters(values: ["x": 1])),
        Babbler.packet(ForwardCommand(.loop(isOn: true), component: pulses(1))),
        try MessageEncoder.response(TransportCommand.Response(isDone: true), id: 1),
        try MessageEncoder.error(ProtocolError(.other, "x"), id: 1),
        Babbler.packet(
          InitializePort(Format(maximumFrames: 64), isOffline: false, priority: 0)),
      ], seed: seed)
    let memory = OwnedDescriptor(try Segment.make(Format(maximumFrames: 64)).descriptor)
    var host = try RawHost(server.socketPath)
    var doors = 0
    var before: Child.Holdings?
    for number in 0..<messages {
      if number == messages / 5 { before = .init(of: getpid()) }
      // Discard the node's answers, so that they do not fill the socket.
      while host.socket.waitForPacket(milliseconds: 0), try host.socket.receive() != nil {}
      do throws(SystemError) {
        let bytes = babbler.message()
        let attached = [0, memory.number].randomElement(using: &random).flatMap {
          Int.random(in: 0..<10, using: &random) == 0 ? $0 : nil
        }
        if packet_send(host.socket.descriptor, bytes, bytes.count, attached ?? -1, 1) != 0 {
          throw SystemError(call: "sendmsg")
        }
      } catch {
        #expect(error.code == EPIPE || error.code == ECONNRESET)
        doors += 1
        host = try RawHost(server.socketPath)
      }
    }
    #expect(doors > messages / 300)
    #expect(bystander.stop() == [])
    #expect(eventually { server.port.host == nil || host.socket.isOver == false })
    host.socket.shutDown()
    let connection = try server.running()
    #expect(connection.rendered(64).status == .rendered)
    connection.close()
    reportMessages(messages, since: before)
  }
}
