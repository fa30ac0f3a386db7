import RenderCore
import TestSupport
import Testing

@testable import FluidSynthInstrument

/// What a stage gives for sends that come and go, the reverb's and the chorus's apart from each other.
private func play(
  _ blocks: [(reverb: Float, chorus: Float, resets: Bool)], mayRest: Bool, effects: Effects,
  rate: Int = 48_000
) throws -> (heard: [UInt32], rested: Int) {
  var stage = try WetStage(rate: rate, effects: effects)
  defer { stage.destroy() }
  stage.mayRest = mayRest
  var random = Seeded(7)
  var (heard, rested): ([UInt32], Int) = ([], 0)
  let channels = UnsafeMutablePointer<Float>.allocate(capacity: 4 * 64)
  defer { channels.deallocate() }
  for block in blocks {
    if block.resets { stage.reset() }
    for i in 0..<64 {
      channels[i] = .random(in: -1...1, using: &random) * block.reverb
      channels[64 + i] = .random(in: -1...1, using: &random) * block.chorus
    }
    stage.process(
      reverbSend: channels, chorusSend: channels + 64, left: channels + 128,
      right: channels + 192)
    heard += (128..<256).map { channels[$0].bitPattern }
    if stage.isResting { rested += 1 }
  }
  return (heard, rested)
}

@Suite struct WetStageTests {
  @Test(arguments: [Effects(), Effects(reverb: false, chorus: true)], [8000, 48_000, 96_000])
  func `a chorus that rested gives the bits of one that did not`(
    effects: Effects, rate: Int
  ) throws {
    // Silence, sound, a second of silence, sound, a reset in the next silence, sound, silence.
    let lengths = [60, 20, 600, 5, 800, 10, 600]
    var blocks: [(reverb: Float, chorus: Float, resets: Bool)] = []
    for (part, length) in lengths.enumerated() {
      for index in 0..<length {
        blocks.append(
          (0.5, part % 2 == 1 ? 0.3 : 0, part == 4 && index == 700))
      }
    }
    let awake = try play(blocks, mayRest: false, effects: effects, rate: rate)
    let rested = try play(blocks, mayRest: true, effects: effects, rate: rate)
    let isEqual = rested.heard == awake.heard
    #expect(isEqual)
    #expect(awake.rested == 0)
    // All of the silences but 512 blocks each, the first one from its beginning.
    #expect((520...530).contains(rested.rested), "\(rested.rested)")
  }

  @Test(arguments: [8000, 48_000, 96_000])
  func `what it gives before it is sent anything, and long after, is zero`(rate: Int) throws {
    let blocks = (0..<600).map { (reverb: Float(0), chorus: Float($0 == 20 ? 1 : 0), false) }
    let heard = try play(
      blocks, mayRest: false, effects: Effects(reverb: false, chorus: true), rate: rate
    ).heard
    #expect(heard[..<(20 * 128)].allSatisfy { $0 << 1 == 0 })
    #expect(heard[(21 * 128)..<(30 * 128)].contains { $0 << 1 != 0 })
    #expect(heard[(533 * 128)...].allSatisfy { $0 << 1 == 0 })
  }
}
