import CFluidSynth
import RenderCore
import TestSupport
import Testing

@testable import FluidSynthEngine

/// Common sample rates, from the lowest to the highest.
let usualRates = [8000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000]

/// Checks the laws at every rate. ``LawTests`` checks them more thoroughly at 48 kHz.
@Suite(.timeLimit(.minutes(5))) struct RateTests {
  private static let font = Fonts.timGM6mb

  private func instrument(
    _ rate: Int, threads: Int = 1, gain: Double = 0.2, lanePool: LanePool? = nil
  ) throws -> ExactInstrument {
    try ExactInstrument(
      soundFont: .open(Self.font),
      settings: InstrumentSettings(rate: rate, gain: gain, threads: threads), lanePool: lanePool)
  }

  @Test(arguments: usualRates)
  func `a lane plays any number of consecutive notes`(rate: Int) throws {
    // A taiko drum with two voices per note: at 96 kHz, the 13th note once found no free voice in its lane.
    let exact = try instrument(rate)
    let beat = rate / 2
    var performance = Performance()
    performance.add(0, .programChange, 0, 115)
    for i in 0..<20 { performance.note(i * beat, 0, 40 + i, 100, length: beat / 20) }
    let recording = try exact.play(performance, frames: 21 * beat)
    for i in 0..<20 {
      let peak = recording.left[(i * beat)..<((i + 1) * beat)].map(abs).max() ?? 0
      #expect(peak > 0.01, "note \(i)")
    }
    let statistics = recording.statistics
    #expect(statistics.notes == 20 && statistics.silentNotes == 0)
    #expect(statistics.unusableLanes == 0)
    // No lane has leftover voices.
    for i in 0..<statistics.lanes {
      let lane = exact.state.pointee.lanes[Int32(i)].pointee
      #expect(lane.isSounding || fluid_synth_get_active_voice_count(lane.synth) == 0)
    }
  }

  @Test(arguments: usualRates)
  func `the library's voice slots can be reset and are free afterwards`(rate: Int) throws {
    let capabilities = try instrument(rate).capabilities
    #expect(capabilities.freesSlots && capabilities.resetsVoiceSlots && capabilities.carriesSends)
  }

  @Test(arguments: [8000, 48_000, 96_000])
  func `slots are reset, whatever the channel's settings`(rate: Int) throws {
    // A bend of ten octaves down, and generators offset by NRPN: long delay, long attack and late start.
    var settings: [(Int, Int)] = [(101, 0), (100, 0), (6, 127)]
    for generator in [0, 26, 33, 34, 52] {
      settings += [(99, 120), (98, generator), (38, 0), (6, 90)]
    }
    var performance = Performance()
    for (number, value) in settings { performance.add(0, .controlChange, 0, number, value) }
    for i in 0..<15 {
      performance.add(i * 3000, .pitchBend, 0, 0, i % 2 == 0 ? 0 : 64)
      performance.note(i * 3000 + 10, 0, 40 + i, 100, length: 100)
      performance.add(i * 3000 + 2000, .controlChange, 0, 120, 0)
    }
    let exact = try instrument(rate)
    let first = try exact.play(performance, frames: 50_000)
    #expect(first.statistics.unusableLanes == 0)
    let second = try exact.play(performance, frames: 50_000)
    #expect(second.sums == first.sums)
  }

  @Test(arguments: usualRates)
  func `onset: shifted by k frames, a performance has its bits shifted by k`(rate: Int) throws {
    let performance = busyPerformance(seed: 7, seconds: 1)
    let frames = performance.end + rate / 2
    let exact = try instrument(rate)
    let reference = try exact.play(performance, frames: frames)
    #expect(reference.sums[0].contains { $0 != 0 } && reference.sums[2].contains { $0 != 0 })
    #expect(reference.statistics.silentNotes == reference.statistics.unmappedNotes)
    for shift in [17, 1000] {
      let shifted = try instrument(rate).play(
        performance.shifted(by: shift), frames: frames + shift)
      #expect(shifted.sums(from: shift) == reference.sums, "shift \(shift)")
    }
  }

  @Test(arguments: usualRates)
  func `cycle, threads, recordings: the bits are the same`(rate: Int) throws {
    var performance = busyPerformance(seed: 3, seconds: 0.5)
    for i in 0..<10 { performance.note(100 + i * 3001, 9, 38, 100, length: 300) }
    let frames = 70_000
    let reference = try instrument(rate).play(performance, frames: frames)
    var random = Seeded(11)
    let cut = try instrument(rate).play(
      performance, frames: frames, cycles: { Int.random(in: 1..<500, using: &random) })
    #expect(cut == reference)
    #expect(
      try instrument(rate, threads: 3).playInParallel(performance, frames: frames) == reference)
    let recorded = try instrument(rate)
    recorded.keepRecordings(performance.recurrence, bytes: 64 << 20)
    let played = try recorded.play(performance, frames: frames)
    #expect(played == reference)
    #expect(played.statistics == reference.statistics)
    #expect(recorded.cacheFigures.playedNotes > 0)
  }

  @Test(arguments: usualRates)
  func `superposition: the sums of the parts are the sums of the whole`(rate: Int) throws {
    let whole = busyPerformance(seed: 21, seconds: 1)
    let frames = whole.end + rate / 2
    let reference = try instrument(rate).play(whole, frames: frames).sums
    var sums = (0..<4).map { _ in [Int64](repeating: 0, count: frames) }
    for part in 0..<2 {
      let steps = whole.steps.filter { step in
        guard case .channel(let message) = step.content, message.startsNote || message.endsNote
        else { return true }
        return Int(message.channel) % 2 == part
      }
      let played = try instrument(rate).play(Performance(steps, of: whole), frames: frames).sums
      for channel in 0..<4 {
        for frame in 0..<frames { sums[channel][frame] += played[channel][frame] }
      }
    }
    #expect(sums == reference)
  }

  @Test(arguments: [8000, 44_100, 88_200, 96_000])
  func `lanes of another instrument play like new ones`(rate: Int) throws {
    let performance = busyPerformance(seed: 5, seconds: 1)
    let fresh = try instrument(rate).play(performance, frames: 60_000)
    let lanePool = LanePool(capacity: 100)
    for seed: UInt64 in 1...3 {
      // It ends while notes sound, and its memory is freed.
      _ = try instrument(rate, lanePool: lanePool)
        .play(busyPerformance(seed: seed, seconds: 1), frames: 40_000)
    }
    #expect(try instrument(rate, lanePool: lanePool).play(performance, frames: 60_000) == fresh)
  }
}
