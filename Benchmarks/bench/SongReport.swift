import FoundationEssentials

/// What `portative render --json` says of a song, as far as it is used here.
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

  /// Renders one song with the command.
  ///
  /// - Returns: The report, `nil` where the song failed, and what the run took.
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
