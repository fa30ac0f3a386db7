/// Summarizes the reports of all songs.
func songsSection(_ bench: Bench) throws -> [Table] {
  let songs = bench.isQuick ? Array(bench.songs.prefix(4)) : bench.songs
  guard let font = bench.fonts(named: [bench.isQuick ? "TimGM6mb" : "FluidR3"]).first else {
    return []
  }
  return try reports(songs, font, bench) + [sideBySide(bench)]
}

private func reports(
  _ songs: [Bench.Song], _ font: Bench.SoundFont, _ bench: Bench
) throws -> [Table] {
  var summary = Table(
    title: "What the songs' reports say, \(font.name)",
    columns: [
      "timing", "songs", "exit code 0", "notes", "inexact onsets", "stolen notes",
      "clipped frames", "most voices", "most lanes", "loudest peak, dBFS",
    ])
  var each = Table(
    title: "Songs",
    columns: [
      "song", "timing", "exit code", "seconds", "notes", "inexact onsets", "stolen notes",
      "clipped frames", "voices", "lanes", "peak dBFS", "peak bytes", "cpu",
    ], isPrinted: false)
  for timing in ["exact", "stock"] {
    bench.log("songs: reports, \(timing)")
    let outcomes = try inParallel(songs.count) { index in
      try SongReport.render(
        songs[index].path, font, timing: timing, jobs: 1,
        to: "\(bench.scratch)/\(songs[index].name).wav", in: bench)
    }
    for (song, outcome) in zip(songs, outcomes) {
      deleteFile("\(bench.scratch)/\(song.name).wav")
      let report = outcome.report
      each.rows.append(
        [
          .text(song.name), .text(timing), .count(outcome.child.exitCode),
          .number(report?.seconds ?? .nan, digits: 2),
        ]
          + [
            report?.notes, report?.inexactOnsets, report?.stolenNotes, report?.clippedFrames,
            report?.voices, report?.lanes,
          ].map { .count($0 ?? -1) } + [
            .number(report?.peakDBFS ?? .nan, digits: 2), .count(outcome.child.peakBytes),
            .number(outcome.child.cpu, digits: 2),
          ])
    }
    let reports = outcomes.compactMap(\.report)
    func sum(_ value: (SongReport) -> Int) -> Cell { .count(reports.reduce(0) { $0 + value($1) }) }
    func maximum(_ value: (SongReport) -> Int) -> Cell { .count(reports.map(value).max() ?? 0) }
    summary.rows.append([
      .text(timing), .count(songs.count), .count(outcomes.count { $0.child.exitCode == 0 }),
      sum(\.notes), sum(\.inexactOnsets), sum(\.stolenNotes), sum(\.clippedFrames),
      maximum(\.voices), maximum(\.lanes),
      .number(reports.compactMap(\.peakDBFS).max() ?? .nan, digits: 2),
    ])
  }
  return [summary, each]
}
