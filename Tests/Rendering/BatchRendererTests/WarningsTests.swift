import AudioFile
import MIDIFile
import OfflineRenderer
import ProgramTestSupport
import Testing

@testable import FluidSynthEngine
@testable import BatchRenderer
@testable import portative

private func warnings(
  bits: AudioFormat.Bits = .b16, gain: Double = 0, _ change: (inout SongReport) -> Void
) throws -> [String] {
  var report = SongReport()
  report.statistics.notes = 10
  change(&report)
  var options = SongOptions()
  options.gain = gain
  return Warnings.of(report, options, try AudioFormat(.wav, bits: bits))
}

@Test func `a song without oddities has no warnings`() throws {
  #expect(try warnings { $0.audio.file.peak = 1 } == [])
}

@Test func `every oddity is a warning`() throws {
  let sentences = try warnings {
    $0.substitutions = [
      .init(bank: 8, program: 5, replacement: (0, 5)),
      .init(bank: 128, program: 9, replacement: nil),
    ]
    $0.statistics.silentNotes = 10
    $0.statistics.unmappedNotes = 1
    $0.statistics.voicelessNotes = 7
    $0.statistics.unusableLanes = 1
    $0.unreleasedNotes = 2
    $0.statistics.stolenNotes = 3
    $0.statistics.inexactOnsets = 4
    $0.statistics.clippedSends = 5
    $0.isTailCut = true
  }
  #expect(
    sentences == [
      "the SoundFont has no preset 5 in bank 8: preset 5 in bank 0 played instead",
      "the SoundFont has no drum kit 9: nothing played instead",
      "1 note made no sound: the SoundFont has none for them",
      "7 notes made no sound: all voices were in use by others",
      "2 notes made no sound: every sample was zero, as with a volume of 0 or an empty sample",
      "FluidSynth did not end the voices of 1 note, so their synths were set aside: please report this, "
        + "with the song and the SoundFont",
      "2 notes never released: ended with the song",
      "3 notes ended early: too many sounded at once",
      "4 notes did not begin on their frame",
      "5 samples on the way to reverb and chorus clipped at +18 dBFS: use a lower --gain",
      "still heard 30 s after the song, and cut there: raise --max-tail",
    ])
  #expect(
    try warnings { $0.statistics.notes = 0 } == ["there are no notes, so nothing is heard"])
}

@Test func `clipping names the gain that is just low enough, and 32-bit float does not clip`()
  throws
{
  func clip(_ report: inout SongReport) {
    report.audio.file.clippedFrames = 12
    report.audio.file.peak = 2
  }
  #expect(
    try warnings(gain: 3, clip) == [
      "12 frames clipped, by up to 6.0 dB: use --gain -3.1, or --bits 32f"
    ])
  #expect(try warnings(bits: .b32f, clip) == [])
}

@Test func `a hopeless file is told of in a few lines`() throws {
  // Each track has a data byte where a status byte must be.
  var bytes = Array("MThd\0\0\0\u{6}\0\u{1}\0\u{14}\u{1}\0".utf8)
  for _ in 0..<20 { bytes += Array("MTrk\0\0\0\u{2}\0\u{1}".utf8) }
  let sentences = Warnings.of(try StandardMIDIFile(decoding: bytes))
  #expect(sentences.count == 6)
  #expect(sentences[0].hasPrefix("mended: byte 23: 01 stands where"))
  #expect(sentences[5].hasSuffix("more faults; --report lists them"))
}

@Test func `late cycles and invalid samples of a node are warnings that name it`() {
  var report = PlayReport(
    port: "Maker: Organ", node: "organ", cycles: 900, lateCycles: 0, lateNotes: 0,
    invalidSamples: 0, roundTripMedian: 5, roundTrip99th: 7, roundTripLongest: 9)
  #expect(Warnings.of(report).isEmpty)
  #expect(report.summary == "900 cycles, none late; round trip 5.0 us, 99 % within 7.0 us")
  report.lateCycles = 12
  report.invalidSamples = 1
  let warnings = Warnings.of(report)
  #expect(warnings.count == 2)
  #expect(
    warnings[0].hasPrefix("Maker: Organ: 12 of 900 cycles late, and silent: use longer cycles"))
  #expect(
    warnings[1]
      == "Maker: Organ: 1 sample infinite or not a number, and silent: its node 'organ' has a fault; tell "
      + "whoever made it")
  // Only the warning reports the number of late cycles.
  #expect(!report.summary.contains("late"))
}
