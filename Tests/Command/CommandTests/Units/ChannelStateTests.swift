import NodeHost
import RenderCore
import TestSupport
import Testing

/// A unit's state contains everything that channel messages set.
@Suite(.timeLimit(.minutes(5))) struct ChannelStateTests {
  @Test(arguments: [ShippedUnit.synth, .layer, .resonator], [1, 2, 3, 4, 5] as [UInt64])
  func `after any messages, another connection sounds like the one that saved`(
    unit: ShippedUnit, seed: UInt64
  ) throws {
    let nodes = try NodeUser()
    try nodes.serve("node", [unit.port()])
    let first = try nodes.stage(unit)
    var settling = Performance(frames: 512, parts: [Self.messages(seed)])
    settling.input = (0..<unit.inputs).map { _ in [Float](repeating: 0, count: 512) }
    _ = try settling.play(on: [first], [512])
    let state = try first.connection.saveState()
    var performance = unit.performance(6000)
    performance.parts = [Performance.Part()]
    for index in 0..<16 as Range<UInt8> {
      performance.parts[0].note(40 + index, at: Int(index) * 200, for: 900, channel: index % 3)
    }
    let expected = try performance.play(on: [first], changingLengths(6000, longest: 900, seed: 1))
    first.connection.close()

    let second = try nodes.stage(unit)
    try second.connection.restoreState(state)
    settling.parts = [Performance.Part()]
    _ = try settling.play(on: [second], [512])
    #expect(try second.connection.saveState() == state)
    let played = try performance.play(on: [second], changingLengths(6000, longest: 900, seed: 2))
    #expect(difference(played, expected) == nil)
  }

  /// Returns program changes, pitch bends and controllers, many of them for registered parameters, on three channels.
  private static func messages(_ seed: UInt64) -> Performance.Part {
    var random = Seeded(seed)
    func number(_ range: ClosedRange<UInt8> = 0...127) -> UInt8 {
      .random(in: range, using: &random)
    }
    let prepared: [UInt8] = [0, 32, 6, 38, 96, 97, 98, 99, 100, 101, 100, 101, 100, 101]
    var part = Performance.Part()
    for frame in 0..<400 {
      let channel = number(0...2)
      let message =
        switch number(0...7) {
        case 0: ChannelMessage(.programChange, channel: channel, number(), 0)
        case 1: ChannelMessage(.pitchBend, channel: channel, number(), number())
        case 2...4:
          ChannelMessage(
            .controlChange, channel: channel, prepared[Int(number()) % prepared.count],
            number() % 2 == 0 ? number(0...3) : number())
        default: ChannelMessage(.controlChange, channel: channel, number(), number())
        }
      // Portamento control applies to a single note and is not part of the state.
      if message.kind == .controlChange, message.data1 == 84 { continue }
      part.messages.append((frame, message))
    }
    return part
  }
}
