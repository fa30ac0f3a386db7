import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct TransportTests {
  @Test(arguments: [8000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000])
  func `a node has the host's beat at every frame of the cycle`(rate: Int) throws {
    let server = try ProbeServer()
    let connection = try server.running(
      Format(sampleRate: rate, inputChannels: 2, maximumFrames: 256))
    var transport = Transport()
    transport.isPlaying = true
    transport.beat = -1
    transport.tempo = 120
    #expect(connection.setTransport(transport) == .accepted)
    // A jump back and a new tempo, each on an exact frame.
    transport.beat = 4
    #expect(connection.setTransport(transport, at: 100) == .accepted)
    transport.tempo = 60
    transport.beat = 8
    #expect(connection.setTransport(transport, at: 50) == .accepted)
    let right = connection.rendered(200).right
    for frame in 0..<200 {
      let expected =
        switch frame {
        case ..<50: -1 + Double(frame) * 2 / Double(rate)
        case ..<100: 8 + Double(frame - 50) / Double(rate)
        default: 4 + Double(frame - 100) * 2 / Double(rate)
        }
      #expect(abs(Double(right[frame]) - expected) < 1e-6)
    }
  }

  @Test func `a host without a transport does not count as stopped`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    connection.setTransport(Transport())
    #expect(connection.rendered(1).right == [0])
    // The host has set no transport for this cycle.
    #expect(connection.rendered(1).right == [-1])
  }

  @Test func `the beat of a stopped host is constant`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    var transport = Transport()
    transport.beat = 5
    connection.setTransport(transport)
    #expect(connection.rendered(64).right == [Float](repeating: 5, count: 64))
  }

  @Test func `of two transports on one frame the later one applies`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    var transport = Transport()
    for beat in 1...1000 {
      transport.beat = Double(beat)
      #expect(connection.setTransport(transport, at: 3) == .accepted)
    }
    #expect(connection.rendered(4).right[3] == 1000)
  }

  @Test func `a cycle holds sixty-four transports, and refuses more`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    var transport = Transport()
    for offset in 0..<64 {
      transport.beat = Double(offset)
      #expect(connection.setTransport(transport, at: offset) == .accepted)
    }
    #expect(connection.setTransport(transport, at: 64) == .full)
    let expected: [Float] = (0..<64).map(Float.init) + [63, 63]
    #expect(connection.rendered(66).right == expected)
    #expect(connection.setTransport(transport) == .accepted)
  }

  @Test func `changes can be read as an asynchronous sequence`() async throws {
    let server = try ProbeServer()
    let connection = try server.running()
    var transport = Transport()
    transport.isPlaying = true
    transport.tempo = 100
    var changes = server.port.transportChanges.makeAsyncIterator()
    #expect(await changes.next() == .some(nil))
    connection.setTransport(transport)
    _ = connection.rendered(64)
    #expect(await changes.next() == transport)
    transport.isRecording = true
    transport.tempo = 90
    connection.setTransport(transport)
    _ = connection.rendered(64)
    #expect(await changes.next() == transport)
    #expect(server.port.transport == transport)
    connection.close()
    #expect(await changes.next() == .some(nil))
  }

  @Test func `invalid numbers are dropped and counted`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    for (beat, tempo) in [(Double.nan, 120.0), (1, .infinity), (1, -3), (1e300, 120)] {
      var transport = Transport()
      transport.beat = beat
      transport.tempo = tempo
      connection.setTransport(transport)
      #expect(connection.rendered(1).right == [-1])
    }
    #expect(server.port.report.rendering?.malformedEvents == 4)
  }
}
