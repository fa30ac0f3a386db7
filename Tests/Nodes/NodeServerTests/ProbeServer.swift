import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore

/// A server with a port whose unit is a ``ProbeUnit``.
final class ProbeServer: Sendable {
  let test: TestServer
  let port: PublishedPort

  init(_ source: any RenderUnitSource = ProbeSource()) throws {
    test = try TestServer()
    port = try test.server.publish(probePort(), source)
  }

  func connect(number: Int = 0) throws -> Connection {
    try test.connect(probePort(number).component)
  }

  /// Returns an initialized connection.
  func running(
    _ format: Format = Format(inputChannels: 2, maximumFrames: 256), _ mode: RenderMode = .offline
  ) throws -> Connection {
    let connection = try connect()
    try connection.initialize(format, mode: mode)
    return connection
  }
}

extension Connection {
  /// Renders a cycle with `left` as left input and silence as right input.
  func rendered(input left: [Float]) -> (status: RenderStatus, left: [Float], right: [Float]) {
    let output = StereoOutput(frames: left.count)
    let silence = [Float](repeating: 0, count: left.count)
    let status = left.withUnsafeBufferPointer { left in
      silence.withUnsafeBufferPointer { right in
        let channels = [left.baseAddress!, right.baseAddress!]
        return channels.withUnsafeBufferPointer {
          render(
            frames: left.count, input: AudioInput($0.baseAddress!, count: 2),
            into: UnsafePointer(output.pointers))
        }
      }
    }
    return (status, output.left, output.right)
  }
}
