import Effects
import RenderCore
import TestSupport
import Testing
import UnitTestSupport

/// Feeds units with invalid transports, parameters and samples, and checks that they recover.
@Suite(.timeLimit(.minutes(5))) struct NonsenseTests {
  private static let sources: [(name: String, source: any RenderUnitSource, inputs: Int)] = [
    ("delay", DelaySource(), 2), ("music delay", DelaySource(musicEffect: true), 1),
    ("resonator", ResonatorSource(), 2), ("metronome", MetronomeSource(), 0),
  ]

  @Test(arguments: sources.indices, 1...3)
  func `a unit survives any input, and becomes silent`(index: Int, seed: Int) throws {
    let (name, source, inputs) = Self.sources[index]
    var nonsense = Nonsense(seed: UInt64(seed), inputs: max(1, inputs))
    let rate = [8000, 48_000, 192_000][seed - 1]
    let player = try Player(
      source, Format(sampleRate: rate, inputChannels: inputs, outputChannels: 2, maximumFrames: 511)
    )
    for _ in 0..<50 {
      let frames = nonsense.frames
      _ = player.render(
        nonsense.events(frames), [], nonsense.changes(frames), nonsense.transports(frames),
        nonsense.input(frames))
      #expect(player.unit.latency >= 0, "\(name)")
      #expect((player.unit.tail ?? 0) >= 0, "\(name)")
      for parameter in player.unit.parameters?.all.values.map({ $0 }) ?? [] {
        #expect(parameter.isFinite, "\(name)")
      }
    }
    let silence = [[Float]](
      repeating: [Float](repeating: 0, count: 511), count: max(1, inputs))
    let rest = player.render([], [], [], [], silence)
    #expect(rest.allSatisfy { $0.allSatisfy(\.isFinite) }, "\(name)")
  }
}

/// Generates random valid and invalid input.
private struct Nonsense {
  private var random: Seeded
  private let inputs: Int

  private static let numbers = [
    0, -0.0, 1, -1, 0.5, 1e-300, 1e12, -1e12, 1e300, -1e300, .nan, .infinity, -.infinity,
    .leastNonzeroMagnitude, 120, 1e6, 0x1p62, -0x1p63, 1e5,
  ]

  init(seed: UInt64, inputs: Int) {
    random = Seeded(seed)
    self.inputs = inputs
  }

  private var number: Double {
    mutating get {
      Bool.random(using: &random)
        ? Self.numbers.randomElement(using: &random)! : .random(in: -100...1000, using: &random)
    }
  }

  var frames: Int { mutating get { [1, 2, 63, 64, 511].randomElement(using: &random)! } }

  mutating func input(_ frames: Int) -> [[Float]] {
    (0..<inputs).map { _ in
      (0..<frames).map { _ in
        Int.random(in: 0..<20, using: &random) == 0
          ? Float(number) : .random(in: -1...1, using: &random)
      }
    }
  }

  mutating func events(_ frames: Int) -> [MIDIEvent] {
    offsets(frames).compactMap { offset in
      ChannelMessage(
        status: .random(in: 0x80...0xEF, using: &random),
        data1: .random(in: 0...127, using: &random), data2: .random(in: 0...127, using: &random)
      ).map { MIDIEvent(offset: offset, content: .channel($0)) }
    }
  }

  mutating func changes(_ frames: Int) -> [ParameterChange] {
    offsets(frames).map { offset in
      ParameterChange(
        offset: offset, index: [0, 1, 2, 3, 4, 5, 6, 7, 99, .max].randomElement(using: &random)!,
        value: Float(number), ramp: [0, 0, 1, 100, 1 << 31, .max].randomElement(using: &random)!)
    }
  }

  mutating func transports(_ frames: Int) -> [TransportPoint] {
    offsets(frames).map { offset in
      var transport = Transport(provides: .init(rawValue: .random(in: 0...31, using: &random)))
      transport.isPlaying = Int.random(in: 0..<4, using: &random) > 0
      transport.isLooping = Bool.random(using: &random)
      transport.meter = Meter(
        [0, 1, 4, 7, .max].randomElement(using: &random)!,
        [0, 1, 4, 8, 32_768, .max].randomElement(using: &random)!)
      transport.beat = number
      transport.tempo = number
      transport.tempoSlope = Bool.random(using: &random) ? 0 : number
      transport.barStart = number
      transport.loopStart = number
      transport.loopEnd = number
      transport.songFrame = [.min, .max, 0].randomElement(using: &random)!
      return TransportPoint(offset: offset, transport)
    }
  }

  private mutating func offsets(_ frames: Int) -> [UInt32] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      UInt32.random(in: 0..<UInt32(frames), using: &random)
    }.sorted()
  }
}
