import FluidSynthEngine
import NodeHost
import RenderCore
import Testing

/// A synth in one process, an effect in another, and a host that passes the synth's audio to the effect.
@Suite(.timeLimit(.minutes(5))) struct ChainLawTests {
  private static let effects = [Effects(), Effects(reverb: false, chorus: false)]

  @Test(arguments: ShippedUnit.effects, effects)
  func `a chain through two processes equals the same units called in one, bit for bit`(
    unit: ShippedUnit, effects: Effects
  ) throws {
    let nodes = try NodeUser()
    try nodes.serve("a", [ShippedUnit.synth.port(effects)])
    try nodes.serve("b", [unit.port()])
    let performance = Performance(
      frames: 48_000, parts: [ShippedUnit.synth.part, unit.part], transports: Performance.song)
    let expected = try performance.play(
      on: [
        DirectStage(.synth, effects), DirectStage(unit),
      ], changingLengths(performance.frames, longest: 4000, seed: 1))
    #expect(expected[0].contains { abs($0) > 0.01 })
    // The connections have different maximum cycle lengths.
    let stages = [
      try HostedStage(nodes.connect(.synth), inputs: 0, maximumFrames: 1000),
      try HostedStage(nodes.connect(unit), inputs: 2, maximumFrames: 3000),
    ]
    for (seed, longest) in [(2, 1000), (3, 70)] as [(UInt64, Int)] {
      let lengths = changingLengths(performance.frames, longest: longest, seed: seed)
      let played = try performance.play(on: stages, lengths)
      #expect(difference(played, expected) == nil)
      // Initialized again, the units start like new ones.
      for (stage, inputs) in zip(stages, [0, 2]) {
        stage.connection.uninitialize()
        try stage.connection.initialize(
          Format(inputChannels: inputs, maximumFrames: 100 + 50 * inputs), mode: .offline)
      }
    }
  }

  @Test(arguments: ShippedUnit.effects)
  func `a node that is the host of both gives the same bits`(unit: ShippedUnit) throws {
    let nodes = try NodeUser()
    try nodes.serve("a", [ShippedUnit.synth.port()])
    try nodes.serve("b", [unit.port()])
    try nodes.serve(
      "c",
      [
        #"{ name: "Test: chain", subtype: "chai", unit: "chain", type: "instrument", "#
          + #"nodes: ["a/synth", "b/\#(unit)"] }"#
      ])
    // A chain passes MIDI to every node that accepts it, and has no parameters.
    let chords = Performance.chords(24_000)
    let performance = Performance(
      frames: 24_000, parts: [chords, unit == .delay ? Performance.Part() : chords],
      transports: Performance.song)
    let lengths = changingLengths(performance.frames, longest: 1000, seed: 4)
    let expected = try performance.play(
      on: [DirectStage(.synth), DirectStage(unit)], lengths)
    let chain = try HostedStage(nodes.connect("Test: chain"), inputs: 0)
    #expect(difference(try performance.play(on: [chain], lengths), expected) == nil)
  }

  @Test func `the state of a chain is that of all units in it`() throws {
    let nodes = try NodeUser()
    try nodes.serve("a", [ShippedUnit.synth.port()])
    try nodes.serve("b", ShippedUnit.effects.map { $0.port() })
    try nodes.serve(
      "c",
      [
        #"{ name: "Test: chain", subtype: "chai", unit: "chain", type: "instrument", "#
          + #"nodes: ["synth", "layer", "resonator", "delay"] }"#
      ])
    let chain = try HostedStage(nodes.connect("Test: chain"), inputs: 0)
    let settings = Performance(frames: 512, parts: [ShippedUnit.synth.settings])
    _ = try settings.play(on: [chain], [512])
    let state = try chain.connection.saveState()
    var music = Performance(
      frames: 12_000, parts: [Performance.chords(12_000)], transports: Performance.song)
    music.parts[0].messages.removeAll { $0.message.kind == .programChange }
    let expected = try music.play(on: [chain], changingLengths(12_000, longest: 1000, seed: 5))
    chain.connection.uninitialize()
    try chain.connection.initialize(Format(maximumFrames: 512), mode: .offline)
    try chain.connection.restoreState(state)
    _ = try Performance(frames: 512, parts: [Performance.Part()]).play(on: [chain], [512])
    #expect(try chain.connection.saveState() == state)
    let played = try music.play(on: [chain], changingLengths(12_000, longest: 512, seed: 6))
    #expect(difference(played, expected) == nil)
  }
}
