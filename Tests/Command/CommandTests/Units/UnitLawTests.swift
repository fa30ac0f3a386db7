import NodeHost
import RenderCore
import Testing

/// The guarantees of every unit that comes with Portative, each tested in another process.
@Suite(.timeLimit(.minutes(5))) struct UnitLawTests {
  private let nodes: NodeUser

  init() throws {
    nodes = try NodeUser()
    try nodes.serve("node", ShippedUnit.allCases.map { $0.port() })
  }

  private func lengths(_ frames: Int, seed: UInt64) -> [Int] {
    changingLengths(frames, longest: 1024, seed: seed)
  }

  @Test(arguments: ShippedUnit.allCases)
  func `another rate in mid life: the same connection, and the bits of a fresh unit`(
    unit: ShippedUnit
  ) throws {
    let stage = try nodes.stage(unit)
    for (index, rate) in [44_100, 96_000, 8000, 48_000].enumerated() {
      stage.connection.uninitialize()
      try stage.connection.initialize(
        Format(sampleRate: rate, inputChannels: unit.inputs, maximumFrames: 1024), mode: .offline)
      let performance = unit.performance(24_000, sampleRate: rate)
      let expected = try performance.play(
        on: [DirectStage(unit, sampleRate: rate)], lengths(24_000, seed: UInt64(index)))
      let played = try performance.play(on: [stage], lengths(24_000, seed: UInt64(index + 9)))
      #expect(difference(played, expected) == nil, "at \(rate) Hz")
      #expect(expected[0].contains { abs($0) > 0.001 })
    }
  }

  @Test func `ports of one node leave one by one, in any order, and the others have the same bits`()
    throws
  {
    let frames = 24_000
    var players = try ShippedUnit.allCases.map {
      Player(unit: $0, stage: try nodes.stage($0), performance: $0.performance(frames))
    }
    for cycle in 0..<50 {
      // In a random order each time, since the order of rendering must not matter either.
      for index in players.indices.shuffled() { try players[index].play(frames: 480) }
      if cycle % 10 < 9 { continue }
      let player = players.remove(at: cycle * 7 % players.count)
      player.stage.connection.close()
      let expected = try player.performance.play(
        on: [DirectStage(player.unit)], lengths(480 * (cycle + 1), seed: UInt64(cycle)))
      #expect(difference(player.played, expected) == nil, "\(player.unit)")
    }
    #expect(players.isEmpty)
  }

  private struct Player {
    let unit: ShippedUnit
    let stage: HostedStage
    let performance: Performance
    var played: [[Float]] = [[], []]

    mutating func play(frames: Int) throws {
      let begin = played[0].count
      let cycle = try performance.play(begin..<begin + frames, on: [stage])
      for channel in 0..<2 { played[channel] += cycle[channel] }
    }
  }

  @Test(arguments: ShippedUnit.allCases)
  func `a state goes round: another connection sounds like the one that saved`(
    unit: ShippedUnit
  ) throws {
    let first = try nodes.stage(unit)
    // Sets every parameter to another value.
    var values: [String: Float] = [:]
    for parameter in first.tree.parameters where !parameter.identifier.hasPrefix("preset.") {
      let middle = (parameter.minimum + parameter.maximum) / 2
      values[parameter.identifier] = parameter.isStepped ? parameter.maximum : middle
    }
    values["chorus.voices"] = values["chorus.voices"].map { _ in 5 }
    try first.connection.setParameters(values)
    var performance = unit.performance(12_000)
    var settling = Performance(frames: 512, parts: [unit.settings])
    settling.input = performance.input.map { _ in [Float](repeating: 0, count: 512) }
    _ = try settling.play(on: [first], [512])
    let state = try first.connection.saveState()
    performance.parts[0].changes = []
    performance.parts[0].messages.removeAll { $0.message.kind == .programChange }
    let expected = try performance.play(on: [first], lengths(12_000, seed: 1))
    #expect(expected[0].contains { abs($0) > 0.001 })
    first.connection.close()

    let second = try nodes.stage(unit)
    try second.connection.restoreState(state)
    settling.parts = [Performance.Part()]
    _ = try settling.play(on: [second], [512])
    #expect(try second.connection.saveState() == state)
    let played = try performance.play(on: [second], lengths(12_000, seed: 2))
    #expect(difference(played, expected) == nil)
  }

  @Test(arguments: ShippedUnit.allCases)
  func `every preset can be used, and sets what it says`(unit: ShippedUnit) throws {
    let stage = try nodes.stage(unit)
    let presets = try stage.connection.presets()
    #expect(presets.isEmpty == (unit == .metronome))
    var silence = Performance(frames: 64, parts: [Performance.Part()])
    silence.input = unit.performance(64).input
    for (number, preset) in presets.enumerated() {
      try stage.connection.usePreset(number)
      _ = try silence.play(on: [stage], [64])
      let values = try stage.connection.parameterValues()
      for (identifier, value) in preset.values {
        #expect(values[try #require(stage.tree.index(of: identifier))] == value, "\(preset.name)")
      }
    }
  }

  @Test(
    arguments: ShippedUnit.effects,
    [Float.nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude])
  func `what is no sound leaves a unit with the frame that it came in`(
    unit: ShippedUnit, sample: Float
  ) throws {
    let frames = [1000, 1001, 7777, 15_000]
    var performance = unit.performance(24_000)
    for frame in frames { for channel in 0..<2 { performance.input[channel][frame] = 0 } }
    var expected = try performance.play(on: [DirectStage(unit)], lengths(24_000, seed: 1))
    for frame in frames { for channel in 0..<2 { performance.input[channel][frame] = sample } }
    var played = try performance.play(on: [nodes.stage(unit)], lengths(24_000, seed: 2))
    for frame in frames {
      for channel in 0..<2 {
        played[channel][frame] = 0
        expected[channel][frame] = 0
      }
    }
    #expect(difference(played, expected) == nil)
  }
}
