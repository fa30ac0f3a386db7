import FluidSynthEngine
import Foundation
import MIDIFile
import TestSupport
import Testing

@testable import OfflineRenderer

private let folder = "/usr/share/games/openttd/baseset/openmsx"

/// Renders whole songs with several threads. The instrument's own tests cover how recordings work.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: FileManager.default.fileExists(atPath: folder), "needs openttd-openmsx"))
struct RecordingsTests {
  @Test(arguments: ["tttheme2", "keep_on_rolling", "run_for_your_life"])
  func `rendering each note separately or once gives the same song`(
    name: String
  ) throws {
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\(name).mid")))
    let song = try StandardMIDIFile(decoding: bytes)
    let plain = try render(song, cacheBytes: 0, threads: 1)
    #expect(plain.figures.notes == 0 && plain.report.statistics.notes > 100)
    for (cacheBytes, threads) in [(48 << 20, 1), (48 << 20, 2), (1 << 20, 2), (1, 1)] {
      let cached = try render(song, cacheBytes: cacheBytes, threads: threads)
      #expect(cached.report.audio.hash == plain.report.audio.hash)
      #expect(cached.figures.peakBytes <= cacheBytes)
      if cacheBytes > 1 { #expect(cached.figures.playedNotes > 0) }
      // The assignment of notes to lanes, and so the number of lanes, depends on thread timing.
      var statistics = cached.report.statistics
      statistics.lanes = plain.report.statistics.lanes
      #expect(statistics == plain.report.statistics)
    }
  }

  private func render(
    _ song: StandardMIDIFile, cacheBytes: Int, threads: Int
  ) throws -> (report: SongReport, figures: CacheFigures) {
    var settings = RenderSettings()
    settings.cacheBytes = cacheBytes
    settings.threads = threads
    settings.end = 15
    let range = try FrameRange(song, settings)
    let player = try InstrumentPlayer(
      range, soundFont: .open(bundledSoundFont), settings: settings)
    let place = try TemporaryFolder()
    player.enableNoteCache(
      range.timeline, in: cacheBytes > 0 ? RecordingMemory(bytes: cacheBytes) : nil)
    let report = try SongRenderer.render(
      song, to: place.file(), by: player, settings: settings,
      accept: { report in
        report.statistics = player.statistics
        return true
      })
    return (report, player.cacheFigures)
  }
}
