import AudioFile
import Foundation
import MIDIFile
import OfflineRenderer
import ProgramTestSupport
import Testing

@testable import BatchRenderer
@testable import FluidSynthEngine

private func song(peak: Float) -> RenderReport.Song {
  var report = SongReport()
  report.audio.file.frames = 96000
  report.audio.file.peak = peak
  report.audio.file.clippedFrames = 3
  report.audio.seconds = 2
  report.audio.hash = "00ff"
  report.audio.truePeak = peak == 0 ? 0 : 1
  report.statistics.notes = 7
  report.substitutions = [
    .init(bank: 8, program: 5, replacement: (0, 5)), .init(bank: 128, program: 9, replacement: nil),
  ]
  report.repairs = [Repair(offset: 42, .secondFile)]
  return .init(input: "a/b.mid", output: "b.wav", report, warnings: ["odd"])
}

@Test func `is one line of JSON for each song`() throws {
  let line = RenderReport.line(song(peak: 0.5))
  #expect(line.hasSuffix("}\n") && line.filter(\.isNewline).count == 1)
  let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
  let expected: NSDictionary = [
    "bytes": 0, "clippedFrames": 3, "clippedSends": 0, "frames": 96000, "hash": "00ff",
    "inexactOnsets": 0, "index": 0, "input": "a/b.mid", "isTailCut": false, "lanes": 0,
    "legatoNotes": 0,
    "missingPresets": [
      ["bank": 8, "program": 5, "replacement": ["bank": 0, "program": 5]],
      ["bank": 128, "program": 9],
    ],
    "notes": 7, "output": "b.wav", "peakDBFS": -6.02,
    "repairs": [
      [
        "offset": 42, "found": "another header follows, as if two files had been joined",
        "done": "what follows was left out",
      ]
    ],
    "seconds": 2, "silentNotes": 0, "stolenNotes": 0, "truePeakDBTP": 0, "unlistedRepairs": 0,
    "unmappedNotes": 0, "unreleasedNotes": 0, "voicelessNotes": 0, "voices": 0, "warnings": ["odd"],
  ]
  #expect(object?["song"] as? NSDictionary == expected)
}

@Test func `silence has no level`() {
  let line = RenderReport.line(song(peak: 0))
  #expect(!line.contains("DBFS") && !line.contains("DBTP"))
}
