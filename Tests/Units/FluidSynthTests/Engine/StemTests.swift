import Dispatch
import RenderCore
import TestSupport
import Testing

@testable import FluidSynthEngine

extension Performance {
  /// Returns the stem of each note.
  fileprivate func stems(_ stem: (ChannelMessage) -> UInt8) -> [UInt8] {
    sorted.steps.compactMap { step in
      guard case .channel(let message) = step.content, message.startsNote else { return nil }
      return stem(message)
    }
  }

  fileprivate var byChannel: [UInt8] { stems(\.channel) }

  fileprivate func atRandom(_ count: UInt8, seed: UInt64) -> [UInt8] {
    var random = Seeded(seed)
    return stems { _ in UInt8.random(in: 0..<count, using: &random) }
  }
}

/// Plays a performance with stems, each lane group on its own thread.
private func play(
  _ performance: Performance, stems: [UInt8] = [], count: Int = 0,
  _ settings: InstrumentSettings = InstrumentSettings(), cacheBytes: Int = 0,
  lanes: (MIDICycle) -> Int = { $0.events.count + 1 }, cycles: @escaping () -> Int = { 1024 }
) throws -> RenderedSound {
  let instrument = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
  if count > 0 { instrument.keepStems(stems, count: count) }
  if cacheBytes > 0 { instrument.keepRecordings(performance.recurrence, bytes: cacheBytes) }
  instrument.keepSums()
  let (stride, channels) = (settings.maximumFrames, count > 0 ? 2 * (count + 1) : 0)
  var output = [Float](repeating: .nan, count: stride * channels)
  var heard = RenderedSound()
  heard.stems = (0..<channels).map { _ in [] }
  try Portions(performance.sorted, frames: performance.end + 48_000, cycles: cycles).forEach {
    cycle in
    try instrument.reserveLanes(lanes(cycle))
    try instrument.loadSamples(for: cycle)
    var (left, right) = ([Float](repeating: .nan, count: cycle.frames), [Float]())
    right = left
    instrument.plan(cycle)
    let frames = cycle.frames
    DispatchQueue.concurrentPerform(iterations: settings.threads) { group in
      instrument.renderGroup(group, frames: frames)
    }
    let ended = instrument.endCycle(frames: frames)
    if count > 0 {
      instrument.mix(ended, left: &left, right: &right, stems: &output)
    } else {
      instrument.mix(ended, left: &left, right: &right)
    }
    heard.left += left
    heard.right += right
    for channel in 0..<channels {
      heard.stems[channel] += output[channel * stride..<channel * stride + frames]
    }
    instrument.withSums(frames: frames) { heard.add($0) }
  }
  heard.statistics = instrument.statistics
  return heard
}

/// Returns whether the stems add up to the dry mix in fixed point, bit for bit.
private func addsUp(_ heard: RenderedSound) -> Bool {
  (0..<2).allSatisfy { side in
    let stems = Swift.stride(from: 4 + side, to: heard.sums.count, by: 2).map { heard.sums[$0] }
    return heard.sums[side].indices.allSatisfy { i in
      heard.sums[side][i] == stems.reduce(0) { $0 + $1[i] }
    }
  }
}

private func hasSound<Sample: Numeric>(_ samples: [Sample]) -> Bool { samples.contains { $0 != 0 } }

@Suite("Stems", .timeLimit(.minutes(5))) struct StemTests {
  @Test(arguments: [(1, 1, 0), (2, 100, 0), (3, 8192, 8 << 20), (5, 0, 0), (2, 1000, 1 << 18)])
  func `superposition: the stems' sums are the mix's, bit for bit`(
    threads: Int, cycle: Int, cacheBytes: Int
  ) throws {
    let performance = busyPerformance(seed: UInt64(cycle + threads), seconds: cycle == 1 ? 0.5 : 2)
    let plain = try play(performance)
    let settings = InstrumentSettings(threads: threads)
    for (stems, count) in [(performance.byChannel, 16), (performance.atRandom(128, seed: 5), 128)] {
      var random = Seeded(9)
      let heard = try play(
        performance, stems: stems, count: count, settings, cacheBytes: cacheBytes,
        cycles: { cycle > 0 ? cycle : Int.random(in: 1..<3000, using: &random) })
      #expect(addsUp(heard))
      #expect(Array(heard.sums[..<4]) == plain.sums)
      #expect(heard.left == plain.left && heard.right == plain.right)
      #expect(heard.sums[4...].filter(hasSound).count > 12)
      // Every note had a lane.
      #expect(!hasSound(heard.sums[4 + 2 * count]))
    }
  }

  @Test func `a stem has the bits of its part rendered alone`() throws {
    let performance = busyPerformance(seed: 4)
    let heard = try play(performance, stems: performance.byChannel, count: 16)
    var heardParts = 0
    for channel in 0..<16 {
      var alone = try play(
        performance.only(channel: UInt8(channel)), .init(effects: .none))
      if hasSound(alone.left) { heardParts += 1 }
      // A part played alone ends earlier.
      let count = alone.left.count
      for side in 0..<2 {
        #expect(alone.sums[side].elementsEqual(heard.sums[4 + 2 * channel + side][..<count]))
      }
      alone.stems = [alone.left, alone.right]
      for side in 0..<2 {
        #expect(alone.stems[side].elementsEqual(heard.stems[2 * channel + side][..<count]))
      }
    }
    #expect(heardParts > 10)
  }

  @Test func `the mix is its dry sum and the effects, added as floats`() throws {
    let performance = busyPerformance(seed: 6, seconds: 1)
    let heard = try play(performance, stems: performance.byChannel, count: 16)
    for (side, mix) in [heard.left, heard.right].enumerated() {
      let (dry, wet) = (heard.sums[side], heard.stems[32 + side])
      #expect(hasSound(wet))
      #expect(
        mix.indices.allSatisfy { mix[$0] == Float(Double(dry[$0]) / FixedPoint.scale) + wet[$0] })
    }
    let dry = try play(performance, stems: performance.byChannel, count: 16, .init(effects: .none))
    #expect(!hasSound(dry.stems[32]) && addsUp(dry))
  }

  @Test func `a note stays in its stem, whatever ends or bends it`() throws {
    var performance = Performance()
    performance.add(0, .noteOn, 0, 60, 100)
    performance.add(5000, .noteOn, 0, 64, 100)
    performance.add(9000, .pitchBend, 0, 0, 90)
    performance.add(20_000, .noteOff, 0, 60)
    performance.add(20_000, .noteOff, 0, 64)
    let heard = try play(performance, stems: [1, 0], count: 2)
    #expect(!hasSound(Array(heard.sums[4][..<5000])) && hasSound(heard.sums[4]))
    #expect(hasSound(Array(heard.sums[6][20_000...])) && addsUp(heard))
  }

  @Test func `legato notes belong to the stem of the note that they continue`() throws {
    var performance = Performance()
    performance.add(0, .controlChange, 0, 68, 127)
    // Both keys have the same zones.
    performance.note(0, 0, 60, 100, length: 9000)
    performance.note(5000, 0, 61, 100, length: 9000)
    let heard = try play(performance, stems: [0, 1], count: 2)
    #expect(heard.statistics.legatoNotes == 1)
    #expect(hasSound(heard.sums[4]) && !hasSound(heard.sums[6]) && addsUp(heard))
  }

  @Test func `notes without a lane belong to the remaining stem`() throws {
    let performance = busyPerformance(seed: 8, seconds: 1)
    let heard = try play(performance, stems: performance.byChannel, count: 16, lanes: { _ in 0 })
    #expect(heard.statistics.inexactOnsets == heard.statistics.notes)
    #expect(!heard.sums[4..<36].contains(where: hasSound))
    #expect(hasSound(heard.sums[36]) && addsUp(heard))
    // Without effects, the rest is the mix.
    let dry = try play(
      performance, stems: performance.byChannel, count: 16, .init(effects: .none), lanes: { _ in 0 }
    )
    #expect(dry.stems[32] == dry.left && dry.stems[33] == dry.right)
  }

  @Test func `if notes have their own effects, these are in the stems`() throws {
    let performance = busyPerformance(seed: 2, seconds: 0.5)
    var settings = InstrumentSettings()
    settings.presumesSends = false
    let heard = try play(performance, stems: performance.byChannel, count: 16, settings)
    #expect(addsUp(heard) && hasSound(heard.left))
    #expect(!hasSound(heard.stems[32]))
    let instrument = try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
    #expect(!instrument.hasWetReturn)
  }
}
