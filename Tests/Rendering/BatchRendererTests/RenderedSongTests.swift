import AudioFile
import BatchRenderer
import OfflineRenderer
import Testing

private func summary(
  output: String = "song.wav", elapsed: Double, peak: Float = 0.5, _ options: SongOptions? = nil
) -> String {
  var report = SongReport()
  report.audio.seconds = 196.4
  report.audio.file.peak = peak
  let entry = RenderReport.Song(input: "song.mid", output: output, report, warnings: [])
  return RenderedSong(entry: entry, elapsed: elapsed).summary(options)
}

@Test func `a result is a line`() {
  #expect(summary(elapsed: 4.8) == "song.wav: 3:16, peak -6.0 dBFS, 41x real time")
  #expect(summary(elapsed: 100) == "song.wav: 3:16, peak -6.0 dBFS, 2.0x real time")
  #expect(summary(output: "-", elapsed: 0, peak: 0) == "standard output: 3:16, silence")
}

@Test func `the other files of a song are named`() {
  let entry = RenderReport.Song(input: "a.mid", output: "a.wav", SongReport(), warnings: [])
  let song = RenderedSong(entry: entry, elapsed: 0, others: ["a.png", "a.jsonl"])
  #expect(song.summary() == "a.wav: 0:00, silence; also a.png, a.jsonl")
}

@Test func `suggests how to make a quiet song louder, unless its level was requested`() {
  var options = SongOptions()
  let line = "song.wav: 3:16, peak -16.5 dBFS (louder: --normalize -1dBTP), 41x real time"
  #expect(summary(elapsed: 4.8, peak: 0.15, options) == line)
  #expect(!summary(elapsed: 4.8, peak: 0.5, options).contains("--normalize"))
  #expect(!summary(elapsed: 4.8, peak: 0, options).contains("--normalize"))
  options.gain = -6
  #expect(!summary(elapsed: 4.8, peak: 0.15, options).contains("--normalize"))
  options = SongOptions()
  options.normalization = .loudness(-30)
  #expect(!summary(elapsed: 4.8, peak: 0.15, options).contains("--normalize"))
}
