import ConnectionTestSupport
import LiveMIDI
import NodeHost
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of a keyboard and a host that play the same port.
///
/// The keyboard's events lie in the past and so act in the next cycle; the tests do not depend on the
/// machine's speed.
@Suite(.timeLimit(.minutes(5))) struct KeyboardInputTests {
  private let keyboard = LiveInput.Source(1)
  private let longAgo: Int64 = 1

  private func running(_ server: TestServer) throws -> Connection {
    let connection = try server.connect()
    connection.lateLimit = .max
    try connection.initialize(Format(maximumFrames: 256), mode: .realtime)
    return connection
  }

  @Test func `keyboard notes are heard in the host's cycle`() throws {
    let server = try TestServer()
    let connection = try running(server)
    #expect(server.port.input.isHosted)
    #expect(connection.isRendered(within: .max))
    server.port.input.send(.channel(note(72)), from: keyboard, at: longAgo)
    connection.begin(frames: 256)
    #expect(connection.finish(within: .max) == .rendered)
    #expect(connection.output(channel: 0)?[0] == 72)
    #expect(server.unit.messages.count == 1)
  }

  @Test func `a key held by host and keyboard is one note`() throws {
    let server = try TestServer()
    let connection = try running(server)
    #expect(connection.isRendered(within: .max))
    server.port.input.send(.channel(note(60)), from: keyboard, at: longAgo)
    #expect(connection.schedule(note(60), at: 100) == .accepted)
    #expect(connection.schedule(note(62), at: 100) == .accepted)
    connection.begin(frames: 256)
    #expect(connection.finish(within: .max) == .rendered)
    let output = try #require(connection.output(channel: 0))
    #expect([output[0], output[100]] == [60, 62])
  }

  @Test func `the host receives keyboard events on the frame on which they are heard`() throws {
    let server = try TestServer()
    let connection = try running(server)
    #expect(connection.isRendered(within: .max))
    server.port.input.send(.channel(note(72)), from: keyboard, at: longAgo)
    server.port.input.send(.system(.clock), from: keyboard, at: longAgo)
    #expect(connection.schedule(note(60), at: 5) == .accepted)
    connection.begin(frames: 256)
    #expect(connection.finish(within: .max) == .rendered)
    let received = connection.receivedEvents.events.map { event -> [Int] in
      switch event.content {
      case .channel(let message): [Int(event.offset), Int(message.data1)]
      case .system(let message): [Int(event.offset), Int(message.status)]
      case .sysEx: []
      }
    }
    #expect(received == [[0, 72], [0, 0xF8]])
  }

  @Test func `the host receives released notes, and nothing twice`() throws {
    let server = try TestServer()
    let connection = try running(server)
    let input = server.port.input
    input.setRelations([keyboard: [LiveInput.Source(2)], LiveInput.Source(2): [keyboard]])
    #expect(connection.isRendered(within: .max))
    for source in [keyboard, LiveInput.Source(2)] {
      input.send(.channel(note(72)), from: source, at: longAgo)
    }
    #expect(connection.isRendered(within: .max))
    #expect(connection.received == [ReceivedEvent(0, [0x90, 72, 100])])
    #expect(connection.isRendered(within: .max))
    #expect(connection.received.isEmpty)
    for source in [keyboard, LiveInput.Source(2)] { input.release(source, at: longAgo) }
    #expect(connection.isRendered(within: .max))
    #expect(connection.received == [ReceivedEvent(0, [0x80, 72, 64])])
  }

  @Test func `an offline host receives no keyboard events`() throws {
    let server = try TestServer()
    let connection = try server.running()
    #expect(!server.port.input.isHosted)
    server.port.input.send(.channel(note(72)), from: keyboard, at: longAgo)
    for _ in 0..<20 { #expect(connection.rendered(256).left.allSatisfy { $0 == 0 }) }
  }

  @Test func `after the host has closed, the keyboard plays the device`() throws {
    let server = try TestServer()
    let connection = try running(server)
    #expect(server.port.input.isHosted)
    connection.close()
    #expect(eventually { !server.port.input.isHosted })
  }
}
