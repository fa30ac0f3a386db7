/// Measures the peak memory of a render against the limit of the design.
func memorySection(_ bench: Bench) throws -> [Table] {
  let songs = bench.songs(
    named: bench.isQuick
      ? ["5432gone_redfarn"] : ["keep_on_rolling", "tttheme2", "train_filled_with_cash"])
  var table = Table(
    title: "Memory in exact timing, MB",
    note: "The peak of `portative render` on \(bench.machine.cores) cores, less the SoundFont's "
      + "file, against 40 MB and 0.6 MB for each lane.",
    columns: ["song", "SoundFont", "lanes", "peak", "peak less SoundFont", "bound", "met"])
  for font in bench.fonts {
    for song in songs {
      bench.log("memory: \(song.name), \(font.name)")
      let (report, child) = try SongReport.render(
        song.path, font, jobs: bench.machine.cores, to: "\(bench.scratch)/memory.wav", in: bench)
      guard let report else { throw BenchError("'\(song.path)' failed: \(child.output)") }
      let rest = Double(child.peakBytes - font.bytes) / 1e6
      let bound = 40 + 0.6 * Double(report.lanes)
      table.rows.append([
        .text(song.name), .text(font.name), .count(report.lanes),
        .number(Double(child.peakBytes) / 1e6, digits: 1), .number(rest, digits: 1),
        .number(bound, digits: 1), .met(rest <= bound),
      ])
    }
  }
  return [table]
}
