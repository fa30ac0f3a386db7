import RenderCore
import TestSupport
import Testing

@testable import FluidSynthEngine

/// Returns a bar of music repeated many times, with occasional differences.
private func repetitive(seed: UInt64, bars: Int = 10) -> Performance {
  var random = Seeded(seed)
  let bar = busyPerformance(seed: seed, seconds: 0.5)
  var performance = Performance()
  for index in 0..<bars {
    // An odd length, so that notes begin at any offset in cycles and blocks.
    let start = index * 24_001
    for var step in bar.steps {
      step.frame += start
      performance.add(step)
    }
    let channel = Int.random(in: 0..<16, using: &random)
    let frame = start + Int.random(in: 0..<24_000, using: &random)
    disturb(&performance, frame, channel, Int.random(in: 0..<20, using: &random))
  }
  return performance
}

private func disturb(_ performance: inout Performance, _ frame: Int, _ channel: Int, _ how: Int) {
  switch how {
  case 0...3: performance.add(frame, .pitchBend, channel, 0, how * 20)
  case 4...6: performance.add(frame, .controlChange, channel, 7, how * 20)
  case 7: performance.add(frame, .controlChange, channel, 121, 0)
  case 8: performance.add(frame, .controlChange, channel, 68, 127)
  case 9: performance.add(frame, .controlChange, channel, 65, 127)
  case 10: performance.add(frame, .controlChange, channel, 84, 50)
  case 11: performance.add(frame, .controlChange, channel, 126, 1)
  case 12: performance.add(frame, .keyPressure, channel, 60, 99)
  case 13: performance.add(frame, .controlChange, channel, 123, 0)
  case 14: performance.add(frame, .controlChange, channel, 120, 0)
  case 15: performance.add(frame, .programChange, channel, 19)
  case 16: performance.addSysEx(frame, [0x7E, 0x7F, 0x09, 0x01])
  case 17:
    // Scale tuning of one channel, including its sounding notes.
    performance.addSysEx(
      frame,
      [0x7F, 0x7F, 0x08, 0x08, 0, 0, UInt8(1 << (channel % 7))] + (0..<12).map { UInt8($0 * 9) })
  default: break
  }
}

/// Plays a performance on an instrument with recordings and returns the audio and the cache's figures.
private func play(
  _ performance: Performance, _ settings: InstrumentSettings = InstrumentSettings(),
  font: String = Fonts.timGM6mb, recurrence: Recurrence? = nil, bytes: Int,
  cycles: @escaping () -> Int = { 1024 }
) throws -> (recording: RenderedSound, figures: CacheFigures) {
  let instrument = try ExactInstrument(soundFont: font, settings: settings)
  if bytes > 0 {
    instrument.keepRecordings(recurrence ?? performance.recurrence, bytes: bytes)
  }
  let recording = try instrument.play(
    performance, frames: performance.end + 48_000, cycles: cycles)
  return (recording, instrument.cacheFigures)
}

@Suite(.timeLimit(.minutes(5))) struct NoteCacheTests {
  // These seeds have no tuning messages: in FluidSynth 2.6 such messages tune all channels, and tuned notes
  // are not recorded.
  @Test(arguments: [
    (1, 64 << 20), (2, 1 << 20), (2, 64 << 20), (12, 1 << 20), (5, 64 << 20), (6, 1 << 18),
  ])
  func `audio and statistics do not depend on recordings`(seed: Int, bytes: Int) throws {
    let performance = repetitive(seed: UInt64(seed))
    let plain = try play(performance, bytes: 0).recording
    let (cached, figures) = try play(performance, bytes: bytes)
    #expect(cached == plain)
    #expect(cached.statistics == plain.statistics)
    #expect(figures.playedNotes > 1 && figures.peakBytes <= bytes)
    if bytes > 1 << 20 { #expect(figures.divergedNotes > 0 && figures.evictedRecordings == 0) }
    if bytes == 1 << 20 { #expect(figures.peakBytes > bytes / 2) }
  }

  @Test func `audio does not depend on recordings when notes are stolen`() throws {
    var settings = InstrumentSettings()
    settings.polyphony = 6
    let performance = repetitive(seed: 5)
    let plain = try play(performance, settings, bytes: 0).recording
    let (cached, figures) = try play(performance, settings, bytes: 8 << 20)
    #expect(plain.statistics.stolenNotes > 10 && figures.playedNotes > 10)
    #expect(cached == plain)
    #expect(cached.statistics == plain.statistics)
  }

  @Test(arguments: [63, 1000, 5000])
  func `audio does not depend on recordings with any cycles, lane groups and effects`(cycle: Int)
    throws
  {
    let performance = repetitive(seed: 2, bars: 6)
    for threads in [1, 2, 5] {
      let settings = InstrumentSettings(
        effects: Effects(reverb: threads != 2, chorus: false), threads: threads)
      let plain = try play(performance, settings, bytes: 0).recording
      let (cached, figures) = try play(
        performance, settings, bytes: 8 << 20, cycles: { cycle })
      #expect(cached == plain)
      #expect(figures.playedNotes > 10)
    }
  }

  @Test func `a wrong forecast does not change the audio`() throws {
    let performance = repetitive(seed: 7)
    let plain = try play(performance, bytes: 0).recording
    let notes = performance.recurrence.kinds.count
    var random = Seeded(8)
    let forecasts = [
      // All notes equal, a few kinds at random, and a forecast for a longer or shorter song.
      Recurrence(fingerprints: Array(repeating: 1, count: notes)),
      Recurrence(fingerprints: (0..<notes).map { _ in UInt64.random(in: 0..<9, using: &random) }),
      Recurrence(fingerprints: Array(repeating: 1, count: notes * 2)),
      Recurrence(fingerprints: Array(repeating: 1, count: notes / 2)),
      Recurrence(fingerprints: []),
    ]
    for forecast in forecasts {
      let cached = try play(performance, recurrence: forecast, bytes: 4 << 20).recording
      #expect(cached == plain)
      #expect(cached.statistics == plain.statistics)
    }
  }

  @Test func `notes of one key are recorded once, and play during the recording`() throws {
    var performance = Performance()
    for stroke in 0..<20 { performance.note(stroke * 4801, 9, 38, 90, length: 2000) }
    let plain = try play(performance, bytes: 0).recording
    let (cached, figures) = try play(performance, bytes: 4 << 20)
    #expect(cached == plain)
    #expect(figures.playedNotes == 19 && figures.recordedNotes == 1)
    #expect(figures.divergedNotes == 0)
  }

  @Test func `an instrument with effects in its lanes keeps no recordings`() throws {
    var settings = InstrumentSettings()
    settings.presumesSends = false
    let (_, figures) = try play(repetitive(seed: 1, bars: 2), settings, bytes: 1 << 20)
    #expect(figures.notes == 0)
  }
}
