import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import Testing

/// Tests of invalid samples (NaN and infinity) between host and node.
@Suite(.timeLimit(.minutes(5))) struct InvalidSampleTests {
  private let server: TestServer

  init() throws {
    server = try TestServer()
    try server.server.publish(probePort(), InvalidSampleSource())
  }

  private func running(
    _ mode: RenderMode = .offline, inputChannels: Int = 2
  ) throws -> Connection {
    let connection = try server.connect(probePort().component)
    try connection.initialize(
      Format(inputChannels: inputChannels, maximumFrames: 64), mode: mode)
    return connection
  }

  private var rendering: PortReport.Rendering? {
    let report = try? AudioHost(name: "Asker").report(
      ofNode: "test", socketPath: server.socketPath)
    return report?.ports.first { $0.port.component == probePort().component }?.rendering
  }

  @Test func `NaN and infinity from a node become silence, and are counted on both sides`()
    throws
  {
    let connection = try running()
    for (offset, key) in [(3, 0), (4, 1), (10, 9), (63, 2)] as [(Int, UInt8)] {
      #expect(connection.schedule(note(key), at: offset) == .accepted)
    }
    let (status, left, right) = connection.rendered(64)
    #expect(status == .rendered)
    #expect(pulsePositions(left) == [10: 9])
    #expect(right.allSatisfy { $0 == 0 })
    #expect(connection.defects.invalidSamples == 3)
    #expect(connection.statistics.invalidSamples == 3)
    #expect(rendering?.invalidSamples == 3)
    // The shared memory is silent as well, for hosts that do not copy the output.
    #expect(connection.audio[0][3] == 0)
    _ = connection.rendered(64)
    #expect(connection.defects.isEmpty)
    #expect(connection.statistics.invalidSamples == 3)
  }

  @Test func `NaN and infinity from a host become silence, and are counted on both sides`() throws {
    let connection = try running()
    var input = (0..<64).map { Float($0 + 1) }
    for (offset, sample) in [(0, Float.nan), (7, .infinity), (63, -.infinity)] {
      input[offset] = sample
    }
    let (status, left, _) = connection.rendered(input: input)
    #expect(status == .rendered)
    #expect(left == input.map { $0.isFinite ? $0 : 0 })
    #expect(connection.defects.invalidInputSamples == 3)
    // The unit received no invalid samples, so it produced none.
    #expect(connection.defects.invalidSamples == 0)
    #expect(rendering?.invalidInputSamples == 3)
    #expect(rendering?.invalidSamples == 0)
  }

  @Test func `samples beyond the cycle's frames are not checked`() throws {
    let connection = try running(inputChannels: 0)
    #expect(connection.schedule(note(0), at: 60) == .accepted)
    _ = connection.rendered(64)
    #expect(connection.defects.invalidSamples == 1)
    _ = connection.rendered(60)
    #expect(connection.defects.invalidSamples == 0)
  }
}
