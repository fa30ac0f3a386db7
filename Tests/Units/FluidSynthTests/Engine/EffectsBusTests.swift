import RenderCore
import TestSupport
import Testing

@testable import FluidSynthEngine

/// Returns a bus's output bits for sends of varying level, with separate sends of reverb and chorus.
private func play(
  _ blocks: [(reverb: Float, chorus: Float, resets: Bool)], atOnce: ClosedRange<Int> = 1...1,
  maySuspendChorus: Bool,
  effects: Effects, rate: Int = 48_000
) throws -> (heard: [UInt32], rested: Int) {
  let memory = RenderMemory()
  defer { memory.release() }
  var bus = try EffectsBus(rate: rate, effects: effects, in: memory)
  bus.maySuspendChorus = maySuspendChorus
  var (random, lengths) = (Seeded(7), Seeded(8))
  var (heard, rested): ([UInt32], Int) = ([], 0)
  // Both sends and both outputs, for eight blocks each.
  let channels = memory.make(4 * 512, of: Float(0))
  var done = 0
  while done < blocks.count {
    if blocks[done].resets { bus.reset() }
    let most = min(.random(in: atOnce, using: &lengths), blocks.count - done)
    let count = (1..<most).first { blocks[done + $0].resets } ?? most
    for i in 0..<(64 * count) {
      channels[i] = .random(in: -1...1, using: &random) * blocks[done + i / 64].reverb
      channels[512 + i] = .random(in: -1...1, using: &random) * blocks[done + i / 64].chorus
    }
    bus.process(
      blocks: count, reverbSend: channels, chorusSend: channels + 512, left: channels + 1024,
      right: channels + 1536)
    for i in 0..<(64 * count) {
      heard += [channels[1024 + i].bitPattern, channels[1536 + i].bitPattern]
    }
    if bus.isChorusSuspended { rested += 1 }
    done += count
  }
  return (heard, rested)
}

@Suite(.timeLimit(.minutes(5))) struct EffectsBusTests {
  @Test(arguments: [Effects(), Effects(reverb: false, chorus: true)], [8000, 48_000, 96_000])
  func `a chorus that paused has the bits of one that did not`(
    effects: Effects, rate: Int
  ) throws {
    // Silence, sound, silence of 600 blocks, sound, silence with a reset, sound, silence.
    let lengths = [60, 20, 600, 5, 800, 10, 600]
    var blocks: [(reverb: Float, chorus: Float, resets: Bool)] = []
    for (part, length) in lengths.enumerated() {
      for index in 0..<length {
        blocks.append(
          (0.5, part % 2 == 1 ? 0.3 : 0, part == 4 && index == 700))
      }
    }
    let awake = try play(blocks, maySuspendChorus: false, effects: effects, rate: rate)
    let rested = try play(blocks, maySuspendChorus: true, effects: effects, rate: rate)
    let isEqual = rested.heard == awake.heard
    #expect(isEqual)
    #expect(awake.rested == 0)
    // Each silence except the first rests after 512 blocks; the first rests from its beginning.
    #expect((520...530).contains(rested.rested), "\(rested.rested)")
  }

  @Test(arguments: [2...2, 8...8, 1...8], [8000, 48_000, 96_000])
  func `the output does not depend on the number of blocks per call`(
    atOnce: ClosedRange<Int>, rate: Int
  ) throws {
    var blocks: [(reverb: Float, chorus: Float, resets: Bool)] = []
    // The chorus is also suspended and resumed within a batch.
    for index in 0..<3000 {
      blocks.append((0.5, index % 1000 < 300 ? 0.4 : 0, index % 700 == 699))
    }
    let one = try play(blocks, maySuspendChorus: true, effects: Effects(), rate: rate)
    let many = try play(
      blocks, atOnce: atOnce, maySuspendChorus: true, effects: Effects(), rate: rate)
    let isEqual = many.heard == one.heard
    #expect(isEqual)
    #expect(many.rested > 0)
  }

  @Test(arguments: [8000, 48_000, 96_000])
  func `the output is zero before any input, and long after it`(rate: Int) throws {
    let blocks = (0..<600).map { (reverb: Float(0), chorus: Float($0 == 20 ? 1 : 0), false) }
    let heard = try play(
      blocks, maySuspendChorus: false, effects: Effects(reverb: false, chorus: true), rate: rate
    ).heard
    #expect(heard[..<(20 * 128)].allSatisfy { $0 << 1 == 0 })
    #expect(heard[(21 * 128)..<(30 * 128)].contains { $0 << 1 != 0 })
    #expect(heard[(533 * 128)...].allSatisfy { $0 << 1 == 0 })
  }
}
