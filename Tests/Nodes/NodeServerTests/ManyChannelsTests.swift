import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import Testing

/// Tests of ports with more than two channels.
@Suite(.timeLimit(.minutes(5))) struct ManyChannelsTests {
  @Test(arguments: [(1, 1), (0, 34), (34, 2), (64, 64)])
  func `every channel has its own samples`(inputs: Int, outputs: Int) throws {
    let server = try TestServer()
    try server.server.publish(probePort(), ChannelSource())
    let connection = try server.connect(probePort().component)
    try connection.initialize(
      Format(inputChannels: inputs, outputChannels: outputs, maximumFrames: 16), mode: .offline)
    for cycle in [1000, 2000] as [Float] {
      let input = (0..<inputs).map { channel in
        UnsafePointer(Self.samples(cycle + Float(channel)))
      }
      defer { input.forEach { $0.deallocate() } }
      let status = input.withUnsafeBufferPointer {
        connection.render(
          frames: Self.frames,
          input: $0.baseAddress.map { AudioInput($0, count: inputs) } ?? AudioInput())
      }
      #expect(status == .rendered)
      for channel in 0..<outputs {
        let expected = Float(channel) / 128 + (channel < inputs ? cycle + Float(channel) : 0)
        let output = UnsafeBufferPointer(
          start: connection.output(channel: channel), count: Self.frames)
        #expect(output.allSatisfy { $0 == expected }, "channel \(channel)")
      }
    }
  }

  private static let frames = 3

  private static func samples(_ value: Float) -> UnsafeMutablePointer<Float> {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    samples.initialize(repeating: value, count: frames)
    return samples
  }
}

private struct ChannelSource: RenderUnitSource {
  func makeUnit(_ format: Format) throws -> any RenderUnit { ChannelUnit(format) }
}

/// Adds to each input channel the number of its output channel, divided by 128.
private final class ChannelUnit: RenderUnit, @unchecked Sendable {
  private let outputs = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init(_ format: Format) { outputs.initialize(to: format.outputChannels) }

  deinit { outputs.deallocate() }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(outputs), renderChannels) }
}

@_noLocks private func renderChannels(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let cycle = cycle.renderCycle
  for channel in 0..<state.assumingMemoryBound(to: Int.self).pointee {
    for frame in 0..<cycle.frames {
      let input = channel < cycle.input.count ? cycle.input[channel][frame] : 0
      cycle.output[channel][frame] = input + Float(channel) / 128
    }
  }
  return false
}
