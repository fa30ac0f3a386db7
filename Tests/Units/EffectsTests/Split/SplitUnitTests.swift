import RenderCore
import Testing
import UnitTestSupport

@testable import Effects

/// A unit that plays the velocities of notes at their frames, after its latency, and adds 1 for each System Exclusive message.
private final class Impulses: RenderUnit, @unchecked Sendable {
  let latency: Int
  private let memory = RenderMemory()
  private let state: UnsafeMutablePointer<State>
  private(set) var restored: [UInt8] = [7]

  /// The state of the render thread: the latest output.
  struct State: BitwiseCopyable {
    let latency: Int
    let line: UnsafeMutablePointer<Float>
    var position = 0
  }

  init(latency: Int) {
    self.latency = latency
    state = memory.make(State(latency: latency, line: memory.make(8192, of: 0)))
  }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderImpulses) }
  var status: [UnitStatus] { [UnitStatus("notes", 2)] }
  var tail: Int? { latency }
  func save() -> [UInt8] { restored }
  func restore(_ data: [UInt8]) throws { restored = data }
}

@_noLocks private func renderImpulses(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let state = state.assumingMemoryBound(to: Impulses.State.self)
  let cycle = cycle.renderCycle
  for event in cycle.events {
    let place = (state.pointee.position + Int(event.offset) + state.pointee.latency) & 8191
    switch event.content {
    case .channel(let message) where message.startsNote:
      state.pointee.line[place] += Float(message.data2)
    case .sysEx: state.pointee.line[place] += 1
    default: break
    }
  }
  for frame in 0..<cycle.frames {
    let place = (state.pointee.position + frame) & 8191
    for channel in 0..<2 { cycle.output[channel][frame] = state.pointee.line[place] }
    state.pointee.line[place] = 0
  }
  state.pointee.position += cycle.frames
  return false
}

private struct ImpulsesSource: RenderUnitSource {
  let latency: Int
  func makeUnit(_ format: Format) throws -> any RenderUnit { Impulses(latency: latency) }
}

@Suite(.timeLimit(.minutes(1))) struct SplitUnitTests {
  private static let source = SplitSource([
    .init(channels: 1 << 0 | 1 << 4, ImpulsesSource(latency: 30)),
    .init(channels: 1 << 9, ImpulsesSource(latency: 0)),
  ])

  private static var score: Score {
    var score = Score(length: 2000, channels: 2)
    for (frame, channel, velocity) in [
      (10, 0, 1), (300, 4, 2), (300, 9, 4), (511, 9, 8), (700, 3, 64),
    ] {
      score.messages.append(
        (frame, ChannelMessage(.noteOn, channel: UInt8(channel), 60, UInt8(velocity))))
    }
    score.sysEx = [(900, [0x7E, 0x7F, 0x09, 0x01])]
    return score
  }

  @Test(arguments: Cut.all)
  func `each unit plays its channels, all on the frame of the slowest`(cut: Cut) throws {
    let played = try Player.play(Self.source, Self.score, cut)
    var expected = [Float](repeating: 0, count: 2000)
    for (frame, value) in [(10, 1), (300, 6), (511, 8), (900, 2)] {
      expected[frame + 30] = Float(value)
    }
    #expect(played == [expected, expected])
  }

  @Test func `the latency is that of the slowest, and figures are added up`() throws {
    let unit = try Self.source.makeUnit(Format())
    #expect(unit.latency == 30 && unit.tail == 30)
    #expect(unit.status == [UnitStatus("notes", 4)])
  }

  @Test func `the state is that of all units, and a damaged one changes nothing`() throws {
    let unit = try Self.source.makeUnit(Format())
    let saved = unit.save()
    try unit.restore([])
    #expect(unit.save() != saved)
    #expect(throws: (any Error).self) { try unit.restore([1, 2, 3]) }
    try unit.restore(saved)
    #expect(unit.save() == saved)
  }
}
