import AudioFile
import FluidSynthEngine
import MIDIFile
import RenderCore
import TestSupport
import Testing

@testable import OfflineRenderer

/// A song of 30 000 frames whose loop begins at frame 10 000 and ends at frame 20 000.
private let looped = song(
  [
    on(0, 60), off(9_000, 60), Event(tick: 10_000, .meta(.text("loopStart", .marker))),
    on(10_000, 62),
    off(15_000, 62), Event(tick: 20_000, .meta(.text("loopEnd", .marker))), on(20_000, 64),
    off(29_000, 64),
  ], end: 30_000)

private func render(
  _ song: StandardMIDIFile, _ change: (inout RenderSettings) -> Void
) throws -> (report: SongReport, samples: [Float]) {
  let folder = try TemporaryFolder()
  var settings = RenderSettings()
  settings.effects = Effects(reverb: false, chorus: false)
  settings.tail = .exact
  change(&settings)
  let report = try SongRenderer(soundFont: .open(bundledSoundFont), settings: settings)
    .render(song, to: folder.file())
  return (report, try folder.samples())
}

@Test func `a song with a loop plays once, and its report has the loop`() throws {
  let (report, samples) = try render(looped) { _ in }
  #expect(samples.count == 60_000)
  #expect(
    report.loop
      == .init(start: 10_000.0 / 48_000, end: 20_000.0 / 48_000, convention: "loopStart", count: 1))
}

@Test func `the loop plays as often as requested, and then the rest`() throws {
  let (report, samples) = try render(looped) { $0.loops = 3 }
  #expect(samples.count == 100_000 && report.loop?.count == 3)
  let written = song(
    [
      on(0, 60), off(9_000, 60), on(10_000, 62), off(15_000, 62), on(20_000, 62), off(25_000, 62),
      on(30_000, 62), off(35_000, 62), on(40_000, 64), off(49_000, 64),
    ], end: 50_000)
  #expect(try render(written) { _ in }.samples == samples)
}

@Test func `a fade goes on with the loop, and ends in silence`() throws {
  let faded = try render(looped) { settings in
    (settings.loops, settings.fade, settings.tail) = (2, 0.5, .silence)
  }
  // The first two turns, and half a second.
  #expect(faded.samples.count == 2 * (30_000 + 24_000))
  let plain = try render(looped) { $0.loops = 6 }.samples
  #expect(faded.samples[..<60_000].elementsEqual(plain[..<60_000]))
  for frame in stride(from: 30_000, to: 54_000, by: 101) {
    let gain = Float(54_000 - frame) / 24_000
    #expect(abs(faded.samples[2 * frame] - plain[2 * frame] * gain) < 1e-7)
  }
  #expect(abs(faded.samples.last ?? 1) < 1e-4)
}

@Test func `loops and fades do not change a song without a loop`() throws {
  let plain = try render(phrase) { _ in }
  let asked = try render(phrase) { ($0.loops, $0.fade) = (3, 1) }
  #expect(plain.samples == asked.samples && asked.report.loop == nil)
}

@Test func `a loop that would be played too often is refused`() {
  let short = song(
    [control(0, 111, 0), on(0, 60)] + (0..<20_000).map { control(0, 7, UInt8($0 % 128)) }, end: 1)
  let error = #expect(throws: RenderError.self) { try render(short) { $0.fade = 3600 } }
  #expect(error?.description.contains("--fade") == true)
}
