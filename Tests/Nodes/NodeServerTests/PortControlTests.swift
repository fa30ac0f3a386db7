import ConnectionTestSupport
import LiveMIDI
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import Synchronization
import TestSupport
import Testing

/// Tests of changes of settings by a program that does not play the port.
@Suite(.timeLimit(.minutes(5))) struct PortControlTests {
  private let server: ProbeServer
  private let control: PortControl

  init() throws {
    server = try ProbeServer()
    control = try server.test.control(probePort().component)
  }

  @Test func `the unit of a host is changed, and the host is told`() throws {
    let connection = try server.running(Format(inputChannels: 2, maximumFrames: 4800), .realtime)
    let notices = Mutex(0)
    connection.onNotice = { notice in
      if notice == .settings { notices.withLock { $0 += 1 } }
    }
    try control.set(["gain": 3])
    #expect(becomes(3, connection))
    #expect(eventually { notices.withLock { $0 } == 1 })
    #expect(try connection.parameterValues()[0] == 3)
    try control.usePreset(1)
    #expect(becomes(4, connection))
    #expect(eventually { notices.withLock { $0 } == 2 })
    #expect(try control.values()[0] == 4)
    // The host knows its own changes.
    try connection.setParameters(["gain": 2])
    #expect(try control.values()[0] == 2)
    #expect(notices.withLock { $0 } == 2)
  }

  /// Renders cycles of 100 ms until the gain is applied.
  private func becomes(_ gain: Float, _ connection: Connection) -> Bool {
    let input = [Float](repeating: 1, count: 4800)
    return eventually { connection.rendered(input: input).left.allSatisfy { $0 == gain } }
  }

  @Test func `a host that renders offline keeps its settings`() throws {
    let connection = try server.running()
    try control.set(["gain": 3])
    #expect(connection.rendered(input: [1]).left == [1])
    connection.close()
    #expect(eventually { server.port.hosts.isEmpty })
    #expect(try control.values()[0] == 3)
  }

  @Test func `without a host, the next unit of keyboards is changed, and that of a host is not`()
    throws
  {
    try control.set(["gain": 3])
    #expect(try control.values()[0] == 3)
    let format = Format(inputChannels: 1)
    let port = server.port
    let played = try port.playerSource(ProbeSource()).makeUnit(format)
    #expect(played.parameters?.value(0) == 3)
    let connection = try server.running()
    #expect(try connection.parameterValues()[0] == 1)
    connection.close()
    // Another program sees the same settings.
    #expect(eventually { port.hosts.isEmpty })
    #expect(try server.test.control(probePort().component).values()[0] == 3)
  }

  @Test func `the unit that keyboards play is changed`() throws {
    let port = server.port
    let unit = ProbeUnit(Format(inputChannels: 1))
    let fifo = InputFIFO(for: unit)
    port.input.add(fifo, as: .device, at: 0)
    try control.set(["gain": 5])
    #expect(unit.parameters?.value(0) == 5)
    unit.secret = 9
    try control.set(["time.tail": 4])
    port.input.remove(fifo, at: 0)
    // The next one has all settings of this one.
    let next = try port.playerSource(ProbeSource()).makeUnit(Format(inputChannels: 1))
    #expect(next.parameters?.all == unit.parameters?.all)
    #expect(next.save() == [9])
  }

  @Test func `a value out of range is refused and changes nothing`() throws {
    #expect(
      failure { try control.set(["gain": 11]) }?.description
        == "Test: Probe 0: gain must be 0 to 10, but is 11")
    #expect(
      failure { try control.setFile("soundfont", to: FileReference(path: "/a")) }?.description
        == "Test: Probe 0 has no file 'soundfont': it has none")
    #expect(try control.values() == [1, 0, 0])
  }
}
