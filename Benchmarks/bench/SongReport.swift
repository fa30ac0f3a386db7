import FoundationEssentials

/// The fields of a song's report in `portative render --json` that the bench uses.
struct SongReport: Decodable {
  var seconds: Double
  var notes: Int
  var voices: Int
  var lanes: Int
  var inexactOnsets: Int
  var stolenNotes: Int
  var clippedFrames: Int
  var peakDBFS: Double?

  private struct Line: Decodable { var song: SongReport? }

  /// Renders one song with `portative render`.
  ///
  /// - Returns: The report, or `nil` if the song failed, and the finished process.
  static func render(
    _ song: String, _ font: Bench.SoundFont, timing: String = "exact", jobs: Int,
    to output: String, in bench: Bench
  ) throws -> (report: SongReport?, child: Child) {
    let child = try Child.run(
      bench.portative,
      [
        "render", "--json", "--timing", timing, "--jobs", "\(jobs)", "--soundfont", font.path,
        "-o", output, song,
      ], keepsOutput: true)
    let lines = child.output.split(separator: "\n")
    let reports = lines.compactMap { line in
      (try? JSONDecoder().decode(Line.self, from: Data(line.utf8)))?.song
    }
    return (child.exitCode == 0 ? reports.first : nil, child)
  }
}
