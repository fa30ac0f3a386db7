import RenderCore
import Testing
import UnitTestSupport

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct DelayUnitTests {
  private static let tree = DelayParameter.tree

  /// Stereo noise during which all parameters change.
  static var eventful: Score {
    var score = Score(input: [Score.noise(30_000, seed: 1), Score.noise(30_000, seed: 2)])
    score.transports = [(0, tempo(120)), (9000, tempo(128)), (14_000, tempo(100, slope: 1 / 256))]
    score.set(tree, "time.beats", 0.125)
    score.set(tree, "feedback", 90, at: 3001, ramp: 1000)
    score.set(tree, "tone", 900, at: 5003, ramp: 3000)
    score.set(tree, "ping-pong", 1, at: 7000)
    score.set(tree, "mix", 80, at: 7007, ramp: 512)
    score.set(tree, "width", 30, at: 11_000, ramp: 77)
    score.set(tree, "time.beats", 0.25, at: 17_000, ramp: 2000)
    score.set(tree, "tone", 20_000, at: 20_000)
    score.set(tree, "ping-pong", 0, at: 22_222)
    return score
  }

  private static func tempo(_ tempo: Double, slope: Double = 0) -> Transport {
    var transport = Transport()
    transport.isPlaying = true
    transport.tempo = tempo
    transport.tempoSlope = slope
    return transport
  }

  @Test func `a unit that is silenced has no echoes, and keeps its parameters`() throws {
    let noise = Score(input: [Score.noise(20_000, seed: 1), Score.noise(20_000, seed: 2)])
    let player = try Player(SilenceableSource(DelaySource()), noise.format)
    try player.unit.parameters?.set("feedback", to: 90)
    _ = player.play(noise)
    let silence = Score(input: [[Float]](repeating: [Float](repeating: 0, count: 40_000), count: 2))
    try #require(player.unit as? any SilenceableUnit).silence()
    let output = player.play(silence)
    #expect(output[0].prefix(511).contains { $0 != 0 })
    #expect(output[0].dropFirst(512).allSatisfy { $0 == 0 })
    #expect(player.unit.parameters?.all["feedback"] == 90)
  }

  @Test func `agrees with the reference within −120 dB while everything changes`() throws {
    let score = Self.eventful
    var reference = DelayReference()
    reference.tempo = { frame in
      if frame < 14_000 { return (frame < 9000 ? 120 : 128, false) }
      return (100 + Double(frame - 14_000) / 256, true)
    }
    reference.beats = Curve(0.125)
    reference.beats.set(0.25, at: 17_000, ramp: 2000)
    reference.feedback.set(90, at: 3001, ramp: 1000)
    reference.tone.set(900, at: 5003, ramp: 3000)
    reference.tone.set(20_000, at: 20_000)
    reference.pingPong += [(7000, true), (22_222, false)]
    reference.mix.set(80, at: 7007, ramp: 512)
    reference.width.set(30, at: 11_000, ramp: 77)
    let played = try Player.play(DelaySource(), score)
    let expected = reference.play(score.input)
    #expect(distance(played[0], expected[0]) < 1e-6)
    #expect(distance(played[1], expected[1]) < 1e-6)
  }

  @Test(arguments: Cut.all) func `cycle: the output does not depend on how it is cut into cycles`(
    cut: Cut
  ) throws {
    var score = Self.eventful
    score.messages = [(1234, ChannelMessage(.controlChange, channel: 3, 13, 40))]
    let source = DelaySource(musicEffect: true)
    let whole = try Player.play(source, score, .every(4096))
    let cut = try Player.play(source, score, cut)
    #expect(difference(whole[0], cut[0]) == nil)
    #expect(difference(whole[1], cut[1]) == nil)
  }

  @Test(arguments: [1, 63, 64, 777])
  func `onset: input shifted by k frames gives output shifted by k frames`(shift: Int) throws {
    var score = Score(input: [Score.noise(9000, seed: 1), Score.noise(9000, seed: 2)])
    score.set(Self.tree, "time.ms", 20)
    score.set(Self.tree, "feedback", 70, at: 2000, ramp: 100)
    score.set(Self.tree, "mix", 90, at: 3000)
    var shifted = score.later(by: shift)
    // Set the time from frame 0, so that it does not glide at the shifted frame.
    shifted.changes[0].frame = 0
    let played = try Player.play(DelaySource(), score)
    let later = try Player.play(DelaySource(), shifted)
    for channel in 0..<2 {
      #expect(difference(played[channel], Array(later[channel].dropFirst(shift))) == nil)
    }
  }

  @Test func `an echo is the input bit for bit, on its frame`() throws {
    let noise = Score.noise(1000)
    var score = Score(input: [noise + Score.silence(49_000)])
    score.set(Self.tree, "mix", 100)
    score.set(Self.tree, "tone", 20_000)
    score.set(Self.tree, "feedback", 50)
    score.transports = [(0, Self.tempo(120))]
    let played = try Player.play(DelaySource(), score)[0]
    #expect(played[..<12_000].allSatisfy { $0 == 0 })
    #expect(difference(Array(played[12_000..<13_000]), noise) == nil)
    #expect(difference(Array(played[24_000..<25_000]), noise.map { $0 / 2 }) == nil)
    #expect(difference(Array(played[36_000..<37_000]), noise.map { $0 / 4 }) == nil)
  }

  @Test func `without a tempo from the host the time is in seconds`() throws {
    var score = Score(input: [Score.impulse(20_000)])
    score.set(Self.tree, "mix", 100)
    var silent = Self.tempo(120)
    silent.provides = .state
    score.transports = [(0, silent)]
    #expect(try Player.play(DelaySource(), score)[0].firstIndex(of: 1) == 16_800)
  }

  @Test func `a time above ten seconds is halved until it is below`() throws {
    var score = Score(sampleRate: 8000, input: [Score.impulse(60_000)])
    score.set(Self.tree, "mix", 100)
    score.set(Self.tree, "time.beats", 8)
    score.transports = [(0, Self.tempo(35))]
    // 8 beats are 13.714 s, which is halved to 6.857 s.
    #expect(try Player.play(DelaySource(), score)[0].firstIndex(of: 1) == 54_857)
  }

  @Test func `at mix 0 the output is the input bit for bit`() throws {
    var noise = Score.noise(5000)
    noise[17] = -0.0
    noise[18] = .leastNonzeroMagnitude
    noise[19] = .infinity
    var score = Score(input: [noise, Score.noise(5000, seed: 9)])
    score.set(Self.tree, "mix", 0)
    score.set(Self.tree, "time.ms", 10)
    let played = try Player.play(DelaySource(), score)
    #expect(difference(played[0], score.input[0]) == nil)
    #expect(difference(played[1], score.input[1]) == nil)
  }

  @Test func `a ramp is exact on every frame`() throws {
    var score = Score(input: [[Float](repeating: 1, count: 2000)])
    score.set(Self.tree, "mix", 0)
    score.set(Self.tree, "mix", 100, at: 301, ramp: 1000)
    let played = try Player.play(DelaySource(), score, .every(64))[0]
    // The first echo comes later.
    for frame in 0..<2000 {
      let done = min(max(0, frame - 301), 1000)
      #expect(played[frame] == 1 - Float(Double(done) / 10) / 100)
    }
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, 1e30])
  func `infinite and NaN input affects only its frame`(bad: Float) throws {
    var score = Score(input: [Score.noise(8000), Score.noise(8000, seed: 2)])
    score.set(Self.tree, "time.ms", 10)
    score.set(Self.tree, "feedback", 98)
    score.set(Self.tree, "ping-pong", 1)
    score.input[0][1000] = 0
    let good = try Player.play(DelaySource(), score)
    score.input[0][1000] = bad
    let played = try Player.play(DelaySource(), score)
    #expect(difference(played[0], good[0]) == 1000)
    #expect(difference(Array(played[0][1001...]), Array(good[0][1001...])) == nil)
    #expect(difference(played[1], good[1]) == nil)
  }

  @Test func `changes of tempo and time bend a sine without steps`() throws {
    var score = Score(input: [Score.sine(96_000, frequency: 440)])
    score.set(Self.tree, "mix", 100)
    score.set(Self.tree, "feedback", 0)
    score.set(Self.tree, "time.beats", 0.125)
    score.transports = [
      (0, Self.tempo(120)), (10_000, Self.tempo(90)), (30_000, Self.tempo(171)),
      (60_000, Self.tempo(120.5)), (75_000, Self.tempo(60)),
    ]
    let played = try Player.play(DelaySource(), score)[0][6100...]
    let steps = zip(played, played.dropFirst()).map { abs($0 - $1) }
    // The greatest step of the sine, raised by a fifth.
    let bound = Float(2 * Double.pi * 440 / 48_000 * 1.5)
    #expect(steps.max()! < bound * 1.001)
    #expect(steps.max()! > bound * 0.99)
  }

  @Test func `ping-pong alternates between the sides, and width 0 is mono`() throws {
    var score = Score(input: [Score.impulse(4000), Score.silence(4000)])
    score.set(Self.tree, "mix", 100)
    score.set(Self.tree, "tone", 20_000)
    score.set(Self.tree, "feedback", 50)
    score.set(Self.tree, "ping-pong", 1)
    score.set(Self.tree, "time.ms", 20)
    let played = try Player.play(DelaySource(), score)
    #expect([960, 1920, 2880].map { played[0][$0] } == [0.5, 0, 0.125])
    #expect([960, 1920, 2880].map { played[1][$0] } == [0, 0.25, 0])
    score.set(Self.tree, "width", 0)
    let mono = try Player.play(DelaySource(), score)
    #expect([960, 1920, 2880].map { mono[0][$0] } == [0.25, 0.125, 0.0625])
    #expect(difference(mono[0], mono[1]) == nil)
  }

  @Test func `mono input gives equal stereo channels`() throws {
    var score = Score(input: [Score.noise(9000)])
    score.set(Self.tree, "time.ms", 30)
    let mono = try Player.play(DelaySource(), score)
    score.channels = 2
    let stereo = try Player.play(DelaySource(), score)
    #expect(difference(stereo[0], mono[0]) == nil)
    #expect(difference(stereo[1], mono[0]) == nil)
  }

  @Test func `the tail ends 60 dB below the first echo`() throws {
    var score = Score(input: [Score.impulse(100_000)])
    score.set(Self.tree, "time.ms", 20)
    score.set(Self.tree, "feedback", 80)
    score.set(Self.tree, "tone", 20_000)
    score.set(Self.tree, "mix", 100)
    let player = try Player(DelaySource(), score.format)
    let played = player.play(score)[0]
    let tail = try #require(player.unit.tail)
    #expect(played[tail] > 0.001 && played[tail] < 0.00125)
    #expect(played[(tail + 1)...].allSatisfy { $0 < 0.001 })
  }

  @Test func `echoes end in silence without denormal numbers`() throws {
    var score = Score(input: [Score.noise(500) + Score.silence(60_000)])
    score.set(Self.tree, "time.ms", 5)
    score.set(Self.tree, "feedback", 70)
    score.set(Self.tree, "mix", 100)
    let played = try Player.play(DelaySource(), score)[0]
    #expect(!played.contains { $0.isSubnormal })
    #expect(played[50_000...].allSatisfy { $0 == 0 })
  }

  @Test func `a value set by another thread applies from the next cycle`() throws {
    let score = Score(input: [Score.noise(1000)])
    let player = try Player(DelaySource(), score.format)
    try player.unit.parameters?.set("mix", to: 0)
    #expect(difference(player.play(score)[0], score.input[0]) == nil)
    #expect(player.unit.parameters?.value(DelayParameter.mix.index) == 0)
  }

  @Test(arguments: [
    (0, 2, "inputChannels must be 1 to 2, but is 0"),
    (2, 1, "inputChannels must be 1, but is 2"), (3, 3, "outputChannels must be 1 to 2, but is 3"),
  ])
  func `an unsupported format is refused with the supported ones`(
    inputs: Int, channels: Int, reason: String
  ) throws {
    let error = #expect(throws: FormatError.self) {
      _ = try DelaySource().makeUnit(Format(inputChannels: inputs, outputChannels: channels))
    }
    #expect(error?.description == reason)
  }

  @Test func `every preset sets every parameter within its range`() throws {
    let unit = try DelaySource().makeUnit(Format(inputChannels: 2))
    #expect(unit.presets.count >= 6)
    for preset in unit.presets {
      try unit.parameters?.set(preset.values)
      #expect(unit.parameters?.all == preset.values)
    }
  }
}
