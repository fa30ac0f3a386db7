import AudioFile
import FluidSynthEngine
import Glibc
import TestSupport
import Testing

@testable import OfflineRenderer

private func decibels(_ level: Double) -> Double { 20 * log10(level) }

@Test func `a peak reaches the requested level`() {
  let outcome = Normalization.truePeak(-1).outcome(truePeak: 0.1, loudness: { _ in nil })
  #expect(abs(outcome.gain - 19) < 1e-9 && outcome.remark == nil)
  #expect(Normalization.truePeak(-60).outcome(truePeak: 2, loudness: { _ in nil }).gain < -66)
}

@Test func `loudness is limited by the ceiling, and the limit is reported`() throws {
  let free = Normalization.loudness(-16).outcome(truePeak: 0.1) { -20 + $0 }
  #expect(abs(free.gain - 4) < 1e-9 && free.remark == nil)
  let bound = Normalization.loudness(-16).outcome(truePeak: 0.5) { -30 + $0 }
  #expect(abs(bound.gain - (-1 - decibels(0.5))) < 1e-9)
  guard case .limited(let loudness) = bound.remark else { throw Missing() }
  #expect(abs(loudness - (-30 + bound.gain)) < 1e-9)
  // A song that is too loud is attenuated.
  #expect(Normalization.loudness(-16).outcome(truePeak: 1.4) { -3 + $0 }.gain == -13)
}

private struct Missing: Error {}

@Test func `the gain is found where loudness is not proportional to it`() {
  // With more gain, softer parts pass the loudness gate and lower the average.
  let outcome = Normalization.loudness(-23).outcome(truePeak: 0.01) { gain in
    gain < 5 ? -30 + gain : -33 + gain
  }
  #expect(abs(outcome.gain - 10) < 1e-9 && outcome.remark == nil)
}

@Test func `silence, and audio without loudness, is unchanged`() {
  #expect(
    Normalization.truePeak(-1).outcome(truePeak: 0, loudness: { _ in nil })
      == .init(gain: 0, remark: .silent))
  #expect(
    Normalization.truePeak(-1).outcome(truePeak: 3e-5, loudness: { _ in nil }).remark == .silent)
  #expect(
    Normalization.loudness(-16).outcome(truePeak: 0.9, loudness: { _ in nil })
      == .init(gain: 0, remark: .unmeasured))
  #expect(Normalization.Outcome().factor == 1)
}

/// Renders a phrase and returns the report and the written samples.
private func rendered(
  _ target: Normalization?, gain: Double = 0.2, _ events: [Event]? = nil, end: Int64 = 30_000,
  bits: AudioFormat.Bits = .b32f
) throws -> (report: SongReport, samples: [Float]) {
  let folder = try TemporaryFolder()
  var settings = RenderSettings()
  settings.gain = gain
  settings.normalization = target
  let file = try RenderedFile(
    to: .file("\(folder.path)/a.raw"), format: AudioFormat(.raw, bits: bits), sampleRate: 48_000,
    measuresLoudness: true)
  let report = try SongRenderer(soundFont: .open(bundledSoundFont), settings: settings)
    .render(events.map { song($0, end: end) } ?? phrase, to: file)
  #expect(folder.names == ["a.raw"])
  return (report, bits == .b32f ? try folder.samples() : [])
}

@Test(arguments: [0.0, -1, -23, -60], [0.01, 0.2, 3])
func `the file has the requested true peak`(target: Double, gain: Double) throws {
  let report = try rendered(.truePeak(target), gain: gain).report
  #expect(abs(decibels(try #require(report.audio.truePeak)) - target) < 0.1)
  #expect(report.audio.file.clippedFrames == 0)
  #expect(report.normalization?.remark == nil)
}

/// Five seconds of nearly constant loudness. In a short or decaying phrase, a block of 0.4 s close to the loudness gate
/// would change the result by up to a decibel.
private let steady: [Event] = (0..<40).flatMap { (beat: Int) -> [Event] in
  let tick = Int64(beat) * 6000
  let key = 60 + UInt8(beat % 5)
  return [on(tick, key), off(tick + 5900, key)]
}

@Test(arguments: [-23.0, -30, -45], [0.2, 3])
func `the file has the requested loudness`(target: Double, gain: Double) throws {
  let report = try rendered(.loudness(target), gain: gain, steady, end: 240_000, bits: .b16).report
  let loudness = try #require(report.audio.integratedLoudness)
  #expect(abs(loudness - target) < 0.1)
  #expect(decibels(try #require(report.audio.truePeak)) < -0.9)
  #expect(report.normalization?.remark == nil)
}

@Test func `audio that cannot be so loud without clipping is as loud as possible`() throws {
  let report = try rendered(.loudness(0), steady, end: 240_000).report
  #expect(abs(decibels(try #require(report.audio.truePeak)) + 1) < 0.1)
  guard case .limited(let loudness) = report.normalization?.remark else { throw Missing() }
  #expect(abs(try #require(report.audio.integratedLoudness) - loudness) < 0.1)
  #expect(report.audio.file.clippedFrames == 0)
}

@Test func `normalized audio is the same audio times a factor`() throws {
  let plain = try rendered(nil)
  let louder = try rendered(.truePeak(-1))
  let factor = try #require(louder.report.normalization).factor
  #expect(plain.report.normalization == nil && factor > 1)
  #expect(louder.samples == plain.samples.map { $0 * factor })
  #expect(louder.report.audio.hash != plain.report.audio.hash)
  #expect(try rendered(.truePeak(-1)).report.audio == louder.report.audio)
}

@Test func `a silent song, or one too short for loudness, is rendered nevertheless`() throws {
  let silent = try rendered(.truePeak(-1), [control(0, 7, 100)])
  #expect(silent.report.normalization?.remark == .silent)
  let short = try rendered(.loudness(-16), [])
  #expect(short.report.normalization?.remark == .unmeasured)
}

@Test func `a song that is cancelled during normalization leaves nothing`() throws {
  let folder = try TemporaryFolder()
  var settings = RenderSettings()
  settings.normalization = .truePeak(-1)
  settings.tail = .exact
  var asked = 0
  do {
    _ = try SongRenderer(soundFont: .open(bundledSoundFont), settings: settings).render(
      phrase, to: try folder.file(),
      isCancelled: {
        asked += 1
        // The first four calls belong to the song's cycles, the later ones to portions.
        return asked > 5
      })
    Issue.record("it was cancelled")
  } catch RenderError.cancelled {}
  #expect(folder.names == [])
}
