import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of the guarantees for MIDI from a node to its host.
@Suite(.timeLimit(.minutes(5))) struct MIDISenderTests {
  private func connection(_ server: TestServer, copies: Int = 1) throws -> Connection {
    try server.server.publish(pulsePort(1), EchoSource(copies: copies))
    let connection = try server.connect(pulses(1))
    try connection.initialize(Format(maximumFrames: 1024), mode: .offline)
    return connection
  }

  @Test func `zero latency: what is sent at a frame is received at that frame of the same cycle`()
    throws
  {
    let server = try TestServer()
    let connection = try connection(server)
    for offset in [0, 1, 63, 64, 100, 255] {
      #expect(connection.schedule(note(60), at: offset) == .accepted)
      #expect(connection.rendered(256).status == .rendered)
      #expect(connection.received == [ReceivedEvent(offset, [0x90, 72, 100])])
      #expect(connection.receivedEvents.frames == 256)
    }
    #expect(connection.rendered(256).status == .rendered)
    #expect(connection.received.isEmpty)
  }

  @Test func `notes end: what a unit has sent ends when another unit replaces it`() throws {
    let server = try TestServer()
    let port = try server.server.publish(pulsePort(1), EchoSource())
    let connection = try server.connect(pulses(1))
    try connection.initialize(Format(maximumFrames: 256), mode: .realtime)
    connection.lateLimit = .max
    #expect(connection.schedule(note(60), at: 5) == .accepted)
    func receive() -> ReceivedEvent? {
      var event: ReceivedEvent?
      _ = eventually {
        _ = connection.rendered(256)
        event = connection.received.first
        return event != nil
      }
      return event
    }
    #expect(receive()?.bytes == [0x90, 72, 100])
    #expect(port.silence().isEmpty)
    #expect(receive()?.bytes == [0x80, 72, 64])
  }

  @Test func `nothing lost: a hundred thousand events of all kinds, in cycles of all lengths`()
    throws
  {
    let server = try TestServer()
    let connection = try connection(server)
    var random = Seeded(7)
    var position = 0
    var sent: [ReceivedEvent] = []
    var received: [ReceivedEvent] = []
    while sent.count < 100_000 {
      for _ in 0..<Int.random(in: 0...400, using: &random) {
        let event = ReceivedEvent(
          position + .random(in: 0..<1500, using: &random), message(&random))
        let isAccepted = schedule(event, on: connection, from: position)
        if isAccepted { sent.append(event) }
      }
      position += try cycle(.random(in: 1...1024, using: &random), &received, connection, position)
    }
    for _ in 0..<2 { position += try cycle(1024, &received, connection, position) }
    // A stable sort by frame.
    let expected = sent.enumerated().sorted {
      ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
    }
    #expect(received.count == sent.count)
    for (found, wanted) in zip(received, expected) where found != raised(wanted.element) {
      Issue.record("found \(found) instead of \(wanted.element)")
      break
    }
    let statistics = connection.statistics
    #expect(statistics.receivedEvents == sent.count)
    #expect(statistics.refusedEvents == 0)
    #expect(statistics.lateEvents == 0)
    #expect(statistics.malformedEvents == 0)
  }

  @Test func `nothing lost: a full FIFO refuses and counts, and what it accepted arrives`() throws {
    let server = try TestServer()
    let connection = try connection(server, copies: 2)
    var scheduled = 0
    let off = ChannelMessage(.noteOff, channel: 1, 50, 0)
    while connection.schedule(off, at: scheduled / 16) == .accepted { scheduled += 1 }
    #expect(scheduled == SegmentLayout.eventSlots)
    #expect(connection.rendered(256).status == .rendered)
    #expect(
      connection.received
        == (0..<scheduled).map { ReceivedEvent($0 / 32, [0x81, 62, 0]) })
    #expect(connection.statistics.refusedEvents == scheduled)
    #expect(try status(server) == [scheduled, scheduled])
    #expect(try report(server).droppedEvents == scheduled)
    // There is space again.
    #expect(connection.schedule(off, at: 3) == .accepted)
    #expect(connection.rendered(256).status == .rendered)
    #expect(connection.received.map(\.frame) == [3, 3])
    #expect(connection.statistics.refusedEvents == scheduled)
  }

  @Test func `a cycle that was not rendered has sent nothing`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    #expect(connection.received.isEmpty)
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    #expect(connection.received.isEmpty)
    #expect(connection.rendered(64).status == .rendered)
    #expect(connection.received.isEmpty)
    connection.uninitialize()
    #expect(connection.received.isEmpty)
  }

  @Test func `two processes: what is sent in the one is received in the other`() throws {
    let folder = try Folder()
    let node = try Child.node(folder("node"), "echoes 1")
    let connection = try node.connect()
    try connection.initialize(Format(maximumFrames: 256), mode: .offline)
    for cycle in 0..<500 {
      let offset = cycle * 37 % 256
      let key = UInt8(cycle % 100)
      #expect(connection.schedule(note(key), at: offset) == .accepted)
      #expect(connection.schedule(.clock, at: offset) == .accepted)
      #expect(connection.rendered(256).status == .rendered)
      #expect(
        connection.received == [
          ReceivedEvent(offset, [0x90, key + 12, 100]), ReceivedEvent(offset, [0xF8, 0, 0]),
        ])
    }
    #expect(node.isRunning)
  }

  /// Renders a cycle.
  ///
  /// - Returns: Its length in frames.
  private func cycle(
    _ frames: Int, _ received: inout [ReceivedEvent], _ connection: Connection, _ position: Int
  ) throws -> Int {
    try #require(connection.rendered(frames).status == .rendered)
    received += connection.received.map { ReceivedEvent(position + $0.frame, $0.bytes) }
    return frames
  }

  private func schedule(
    _ event: ReceivedEvent, on connection: Connection, from position: Int
  ) -> Bool {
    var bytes = event.bytes
    if bytes[0] > 0xF0 { bytes.removeLast(2 - (SystemMessage.dataCount(ofStatus: bytes[0]) ?? 0)) }
    return bytes.withUnsafeBufferPointer {
      connection.schedule(bytes: $0, at: event.frame - position) == .accepted
    }
  }

  private func message(_ random: inout Seeded) -> [UInt8] {
    let (data1, data2) = (
      UInt8.random(in: 0...115, using: &random), UInt8.random(in: 0...127, using: &random)
    )
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return [0xF8, 0, 0]
    case 1: return [0xF2, data1, data2]
    case 2: return [0xF0] + [UInt8](repeating: data1, count: Int(data2)) + [0xF7]
    case 3: return [0xB3, data1, data2]
    case 4...10: return [0x8F, data1, data2]
    default: return [0x90, data1, data2]
    }
  }

  /// Returns an event as an echo unit sends it.
  private func raised(_ event: ReceivedEvent) -> ReceivedEvent {
    var event = event
    if event.bytes[0] < 0xA0 { event.bytes[1] += 12 }
    return event
  }

  private func report(_ server: TestServer) throws -> PortReport.Rendering {
    let ports = try AudioHost(name: "Tester").report(ofNode: "test", socketPath: server.socketPath)
    return try #require(ports.ports.last?.rendering)
  }

  private func status(_ server: TestServer) throws -> [Int] {
    try report(server).unit.map(\.value)
  }
}
