import LocalSystem
import RenderCore

/// Renders a unit cycle by cycle, as a render thread does, and measures the time.
final class UnitMeter {
  private let unit: any RenderUnit
  private let frames: Int
  private let ramps: [Parameter]
  private let indices: [Int]
  private let input: StereoMemory
  private let output: StereoMemory
  private var position = 0
  private var cycles = 0

  private static let sampleRate = 48_000

  /// Creates the unit and presses its keys.
  init(_ load: UnitLoad, frames: Int) throws {
    self.frames = frames
    unit = try load.source.makeUnit(
      Format(
        sampleRate: Self.sampleRate, inputChannels: load.inputChannels, maximumFrames: frames))
    let tree = unit.parameters?.tree ?? ParameterTree()
    indices = load.ramps.compactMap { tree.index(of: $0) }
    ramps = indices.map { tree.parameters[$0] }
    guard ramps.count == load.ramps.count else {
      throw BenchError("\(load.name) lacks one of the parameters \(load.ramps)")
    }
    input = StereoMemory(frames: frames, noise: load.inputChannels > 0 ? 1 : nil)
    output = StereoMemory(frames: frames)
    let events = (0..<UInt8(load.keys)).map { key in
      MIDIEvent(offset: 0, content: .channel(ChannelMessage(.noteOn, channel: 0, 40 + 2 * key, 90)))
    }
    render(events)
    // Four seconds, until the attacks, ramps and initial silence of a new unit's effects have passed.
    for _ in 0..<4 * Self.sampleRate / frames { render() }
    guard load.keys == 0 || output.isSounding else { throw BenchError("\(load.name): no sound") }
  }

  /// Returns the mean time of a cycle in microseconds, for each round.
  ///
  /// - Parameter cycles: The number of cycles in a round.
  func times(rounds: Int, cycles: Int) -> [Double] {
    (0..<rounds).map { _ in
      let begin = MonotonicClock.now
      for _ in 0..<cycles { render() }
      return Double(MonotonicClock.now - begin) / 1000 / Double(cycles)
    }
  }

  private func render(_ events: [MIDIEvent] = []) {
    let transport = [TransportPoint(offset: 0, self.transport)]
    let isUp = cycles % 2 == 0
    let changes = zip(indices, ramps).map { index, parameter in
      ParameterChange(
        offset: 0, index: UInt32(index), value: isUp ? parameter.maximum : parameter.minimum,
        ramp: UInt32(frames))
    }
    events.withUnsafeBufferPointer { events in
      transport.withUnsafeBufferPointer { transport in
        changes.withUnsafeBufferPointer { changes in
          let cycle = MIDICycle(
            frames: frames, events: events, sysEx: UnsafeBufferPointer(start: nil, count: 0))
          if !events.isEmpty { unit.prepare(for: cycle) }
          var all = RenderCycle(
            midi: cycle, position: Int64(position), hostTime: 0, transport: transport,
            parameters: changes, input: input.input, output: output.channels)
          if unit.renderer.procedure(unit.renderer.state, &all) { unit.performDeferredWork() }
        }
      }
    }
    position += frames
    cycles += 1
  }

  private var transport: Transport {
    var transport = Transport()
    transport.isPlaying = true
    transport.beat = Double(position) * 120 / 60 / Double(Self.sampleRate)
    transport.barStart = (transport.beat / 4).rounded(.down) * 4
    transport.songFrame = Int64(position)
    return transport
  }
}
