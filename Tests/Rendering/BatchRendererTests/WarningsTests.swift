import AudioFile
import BatchRenderer
import FluidSynthEngine
import MIDIFile
import OfflineRenderer
import ProgramTestSupport
import Testing

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

@Test func `a song without problems has no warnings`() throws {
  #expect(try warnings { $0.audio.file.peak = 1 } == [])
}

@Test func `every problem is a warning`() throws {
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
      "the SoundFont has no preset 8:5: preset 0:5 was played instead",
      "the SoundFont has no drum kit 128:9: its notes are silent",
      "1 note made no sound: the SoundFont has no sample for them",
      "7 notes made no sound: all voices were in use",
      "2 notes made no sound: the volume was 0, or the SoundFont's sample is empty",
      "FluidSynth did not end the voices of 1 note, so their synths were not used again: please "
        + "report this, with the song and the SoundFont",
      "2 notes never released: ended with the song",
      "3 notes ended early because too many sounded at once",
      "4 notes did not begin on the exact frame",
      "5 samples of the reverb and chorus sends clipped at +18 dBFS: use a lower --gain",
      "cut 30 s after the song, while it still sounded: raise --max-tail",
    ])
  #expect(
    try warnings { $0.statistics.notes = 0 } == ["the song has no notes, so it is silent"])
}

@Test func `clipping suggests the highest gain without it, and 32-bit float does not clip`()
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

@Test func `a badly damaged file has few warnings`() throws {
  // Each track has a data byte where a status byte must be.
  var bytes = Array("MThd\0\0\0\u{6}\0\u{1}\0\u{14}\u{1}\0".utf8)
  for _ in 0..<20 { bytes += Array("MTrk\0\0\0\u{2}\0\u{1}".utf8) }
  let sentences = Warnings.of(try StandardMIDIFile(decoding: bytes))
  #expect(sentences.count == 6)
  #expect(sentences[0].hasPrefix("repaired: byte 23: 01 stands where"))
  #expect(sentences[5].hasSuffix("more faults; see them all with --report"))
}
