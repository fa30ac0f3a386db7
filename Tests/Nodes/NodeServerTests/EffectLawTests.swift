import ConnectionTestSupport
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of the guarantees for a host that uses an effect.
@Suite(.timeLimit(.minutes(5))) struct EffectLawTests {
  @Test func `zero latency: audio is returned in the cycle in which it was sent`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    for value in 1...20 {
      let input = (0..<(value * 7)).map { Float($0 + value) }
      let (status, left, _) = connection.rendered(input: input)
      #expect(status == .rendered)
      #expect(left == input)
    }
  }

  @Test(arguments: [1, 16, 64, 100, 480, 1024, 0])
  func `cycle: an effect's output does not depend on how it was cut into cycles`(
    length: Int
  ) throws {
    let server = try ProbeServer()
    let connection = try server.running(Format(inputChannels: 2, maximumFrames: 1024))
    var random = Seeded(9)
    let total = 8192
    let input = (0..<total).map { _ in Float.random(in: -1...1, using: &random) }
    // The expected values follow from the definition of a ramp.
    let (begin, frames) = (1000, 5000)
    #expect(connection.schedule(parameter: 0, to: 3, over: frames, at: begin) == .accepted)
    let expected = input.enumerated().map { frame, sample in
      let part = Double(min(max(frame - begin, 0), frames)) / Double(frames)
      return sample * Float(1 + 2 * part)
    }
    var left: [Float] = []
    while left.count < total {
      let wanted = length == 0 ? Int.random(in: 1...1024, using: &random) : length
      let end = min(left.count + wanted, total)
      let cycle = connection.rendered(input: Array(input[left.count..<end]))
      #expect(cycle.status == .rendered)
      left += cycle.left
    }
    #expect(left == expected)
  }

  @Test func `an effect without input receives silence`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    _ = connection.rendered(input: [Float](repeating: 1, count: 256))
    let (status, left, _) = connection.rendered(256)
    #expect(status == .rendered)
    #expect(left == [Float](repeating: 0, count: 256))
  }

  @Test func `a closure can provide the input`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    let output = StereoOutput(frames: 64)
    let status = connection.render(frames: 64, into: UnsafePointer(output.pointers)) {
      fillWithRamp($0)
    }
    #expect(status == .rendered)
    #expect(output.left == (0..<64).map(Float.init))
    let refused = connection.render(frames: 0, into: UnsafePointer(output.pointers)) {
      fillWithRamp($0)
    }
    #expect(refused == .badFrameCount)
  }

  @Test func `bounded wait: a late effect is silent, and receives the next cycle's input`() throws {
    var faults = PulseUnit.Faults()
    faults.delay = 20_000_000
    let server = try TestServer(PulseSource(faults))
    let connection = try server.connect()
    try connection.initialize(Format(maximumFrames: 256))
    #expect(connection.rendered(64).status == .late)
    // The host never writes an effect's input while the node still reads it.
    #expect(connection.begin(frames: 64) == .late)
    #expect(eventually { server.port.report.rendering?.lateCycles == 1 })
  }

  @Test func `in one cycle, one node's output is the next one's input`() throws {
    let server = try ProbeServer()
    let instrument = try server.test.running()
    let effect = try server.running()
    let output = StereoOutput(frames: 100)
    #expect(instrument.schedule(note(60), at: 33) == .accepted)
    #expect(effect.schedule(parameter: 0, to: 2, at: 50) == .accepted)
    #expect(instrument.schedule(note(61), at: 50) == .accepted)
    #expect(instrument.render(frames: 100, into: output.pointers) == .rendered)
    let status = effect.render(frames: 100, input: instrument.audio, into: output.pointers)
    #expect(status == .rendered)
    #expect(pulsePositions(output.left) == [33: 60, 50: 122])
  }

  @Test func `the next node receives silence from a lost one`() throws {
    let server = try ProbeServer()
    let instrument = try server.test.running()
    let effect = try server.running()
    _ = instrument.schedule(note(60), at: 0)
    #expect(instrument.rendered(100).left[0] == 60)
    instrument.close()
    let output = StereoOutput(frames: 100)
    #expect(instrument.render(frames: 100, into: output.pointers) == .connectionLost)
    #expect(effect.render(frames: 100, input: instrument.audio, into: output.pointers) == .rendered)
    #expect(output.left == [Float](repeating: 0, count: 100))
  }

  @Test func `too many or too few channels are refused with the valid numbers`() throws {
    let server = try ProbeServer()
    let instrument = try server.test.connect()
    let effect = try server.connect()
    #expect(
      failure { try instrument.initialize(Format(inputChannels: 2)) }?.description
        == "Test: Pulses 0: inputChannels must be 0, but is 2")
    #expect(
      failure { try effect.initialize(Format(inputChannels: 3)) }?.description
        == "Test: Probe 0: inputChannels must be 1 to 2, but is 3")
    #expect(
      failure { try effect.initialize(Format(inputChannels: 65)) }?.description
        == "inputChannels must be 0 to 64, but is 65")
    // The connection is still usable.
    try effect.initialize(Format(inputChannels: 1, outputChannels: 2), mode: .offline)
    #expect(effect.rendered(64).status == .rendered)
  }

  @Test func `another rate makes a new unit for the same connection`() throws {
    let server = try ProbeServer()
    let connection = try server.running()
    for rate in [44_100, 96_000, 8000] {
      connection.uninitialize()
      try connection.initialize(
        Format(sampleRate: rate, inputChannels: 2, maximumFrames: 64), mode: .offline)
      #expect(connection.rendered(input: [1, 2, 3]).left == [1, 2, 3])
    }
  }

  @Test func `ports of one node are closed one by one, and the others continue`() throws {
    let server = try ProbeServer()
    for number in 1...5 {
      try server.test.server.publish(probePort(number), ProbeSource())
    }
    var connections = try (0...5).map { number in
      let connection = try server.connect(number: number)
      try connection.initialize(Format(inputChannels: 2, maximumFrames: 64), mode: .offline)
      return connection
    }
    for round in 0..<6 {
      // In another order each time.
      for (index, connection) in connections.shuffled().enumerated() {
        let input = [Float(round), Float(index), 1]
        #expect(connection.rendered(input: input).left == input)
      }
      connections.remove(at: round % connections.count).close()
    }
  }
}

@_noLocks private func fillWithRamp(_ input: UnsafePointer<UnsafeMutablePointer<Float>>) {
  for frame in 0..<64 { input[0][frame] = Float(frame) }
}
