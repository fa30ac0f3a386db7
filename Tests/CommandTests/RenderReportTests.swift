import AudioFile
import Foundation
import OfflineRenderer
import Testing

@testable import portative

private func song(peak: Float) -> RenderReport.Song {
  var figures = AudioFigures()
  figures.file.frames = 96000
  figures.file.peak = peak
  figures.file.clippedFrames = 3
  figures.seconds = 2
  figures.hash = "00ff"
  figures.truePeak = peak == 0 ? 0 : 1
  return .init(input: "a/b.mid", output: "b.wav", figures: figures, warnings: ["odd"])
}

@Test func `is one line of JSON for each song`() {
  let line = RenderReport.line(song(peak: 0.5))
  #expect(
    line
      == #"{"song":{"bytes":0,"clippedFrames":3,"frames":96000,"hash":"00ff","input":"a/b.mid","#
      + #""output":"b.wav","peakDBFS":-6.02,"seconds":2,"truePeakDBTP":0,"warnings":["odd"]}}"#
      + "\n")
}

@Test func `silence has no level`() {
  let line = RenderReport.line(song(peak: 0))
  #expect(!line.contains("DBFS") && !line.contains("DBTP"))
}

@Test func `a report is whole at its path or not there`() throws {
  let folder = try TemporaryFolder()
  let options = try RenderOptions(arguments: ["a.mid"])
  var report = RenderReport(
    soundFont: nil, settings: .init(options, format: try RenderPlan(options).format))
  report.songs = [song(peak: 0.5)]
  report.errors = [.init(input: "c.mid", Failure(.inputUnusable, "bad \"song\""))]
  try report.write(to: folder("r.json"))
  let data = try Data(contentsOf: URL(filePath: folder("r.json")))
  let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  #expect(Set(object.keys) == ["portative", "settings", "songs", "errors"])
  #expect(folder.names == ["r.json"])
  let failure = #expect(throws: Failure.self) { try report.write(to: folder("none/r.json")) }
  #expect(failure?.code == .outputNotWritten)
  #expect(throws: Failure.self) { try report.write(to: "/dev/full") }
}
