import ConnectionTestSupport
import LiveMIDI
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PanicTests {
  private let server: TestServer

  init() throws { server = try TestServer(maximumHosts: 2) }

  private func panic(_ component: ComponentDescription? = nil) throws {
    try AudioHost(name: "Panic").panic("test", component: component, socketPath: server.socketPath)
  }

  @Test func `the unit of a host that plays is made again, and the host stops its song`() throws {
    let connection = try server.running(Format(maximumFrames: 256), .realtime)
    let log = Log()
    connection.acceptCommands([.stop]) { command in
      log.add("\(command)")
      return true
    }
    #expect(eventually { server.port.report.commands == [.stop] })
    #expect(server.source.units.count == 1)
    try panic(pulses())
    #expect(log.contains("stop"))
    #expect(server.source.units.count == 2)
    // The host continues with the new unit.
    let output = StereoOutput(frames: 256)
    let isPlayed = eventually {
      connection.render(frames: 256, into: UnsafePointer(output.pointers)) == .rendered
    }
    #expect(isPlayed)
  }

  @Test func `a host that renders offline is not silenced`() throws {
    let connection = try server.running()
    try panic()
    #expect(server.source.units.count == 1)
    connection.close()
  }

  @Test func `the unit that keyboards play is made again, and their keys are released`() throws {
    let source = server.port.playerSource(server.source)
    let unit = try source.makeUnit(Format(maximumFrames: 256))
    let fifo = InputFIFO(for: unit)
    server.port.input.add(fifo, as: .device, at: 0)
    let key = ChannelMessage(.noteOn, channel: 0, 60, 100)
    server.port.input.send(.channel(key), from: LiveInput.Source(3), at: 0)
    let count = server.source.units.count
    try panic()
    #expect(server.source.units.count == count + 1)
    server.port.input.remove(fifo, at: 0)
  }

  @Test func `a unit that cannot be made again does not prevent that others are silenced`() throws {
    let source = OnceSource()
    let port = try server.server.publish(probePort(), source)
    let unit = try port.playerSource(source).makeUnit(Format(inputChannels: 1))
    let fifo = InputFIFO(for: unit)
    port.input.add(fifo, as: .device, at: 0)
    let connection = try server.running(Format(maximumFrames: 256), .realtime)
    let message = failure { try panic() }?.description
    #expect(message == "Test: Probe 0 cannot be silenced: there is only one")
    #expect(server.source.units.count == 2)
    connection.close()
    port.input.remove(fifo, at: 0)
  }

  @Test func `an unknown port is refused`() throws {
    #expect(failure { try panic(pulses(9)) }?.description.contains("does not publish") == true)
  }
}

/// Makes one unit only.
private final class OnceSource: RenderUnitSource {
  private let isMade = Flag()

  struct OnlyOne: Error, CustomStringConvertible {
    let description = "there is only one"
  }

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    if isMade.isRaised { throw OnlyOne() }
    isMade.raise()
    return ProbeUnit(format)
  }
}
