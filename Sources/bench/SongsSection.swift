/// All songs: how long the whole folder takes, and what the reports say of each song.
func songsSection(_ bench: Bench) throws -> [Table] {
  let songs = bench.isQuick ? Array(bench.songs.prefix(4)) : bench.songs
  guard let font = bench.fonts(named: [bench.isQuick ? "TimGM6mb" : "FluidR3"]).first else {
    return []
  }
  return try [folder(songs, font, bench)] + reports(songs, font, bench) + [sideBySide(bench)]
}

private func folder(_ songs: [Bench.Song], _ font: Bench.SoundFont, _ bench: Bench) throws -> Table
{
  var table = Table(
    title: "All \(songs.count) songs of a folder, \(font.name)",
    note: "One run each. portative is given the folder, fluidsynth one song after the other.",
    columns: [
      "program", "seconds of audio", "wall", "cpu", "seconds of song per second",
      "of the speed of fluidsynth -F", "of its processor time",
    ])
  var runs: [(name: String, seconds: Double, wall: Double, cpu: Double)] = []
  for timing in ["exact", "stock"] {
    bench.say("songs: the folder, \(timing)")
    let child = try Child.run(
      bench.portative,
      [
        "render", "--quiet", "--timing", timing, "--jobs", "\(bench.machine.cores)", "--tail",
        "exact", "--soundfont", font.path, "-d", bench.scratch,
      ] + songs.map(\.path))
    let bytes = songs.reduce(0) { $0 + (fileSize("\(bench.scratch)/\($1.name).wav") ?? 44) - 44 }
    let name = "\(timing), \(bench.machine.cores) cores"
    runs.append(
      (
        child.exitCode == 0 ? name : "\(name): exit code \(child.exitCode)",
        Double(bytes) / 4 / 48_000, child.wall, child.cpu
      ))
    for song in songs { deleteFile("\(bench.scratch)/\(song.name).wav") }
  }
  bench.say("songs: the folder, fluidsynth -F")
  let fluidSynth = Contestant.fluidSynth()
  let results = try songs.map { try fluidSynth.run($0, font, in: bench) }
  let reference = (
    name: fluidSynth.name, seconds: results.reduce(0) { $0 + $1.seconds },
    wall: results.reduce(0) { $0 + $1.child.wall }, cpu: results.reduce(0) { $0 + $1.child.cpu }
  )
  for run in runs + [reference] {
    let (speed, referenceSpeed) = (run.seconds / run.wall, reference.seconds / reference.wall)
    table.rows.append([
      .text(run.name), .number(run.seconds, digits: 1), .number(run.wall, digits: 1),
      .number(run.cpu, digits: 1), .number(speed, digits: 1),
      .number(speed / referenceSpeed, digits: 2),
      .number(run.cpu / run.seconds / (reference.cpu / reference.seconds), digits: 2),
    ])
  }
  return table
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
    bench.say("songs: reports, \(timing)")
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
    func most(_ value: (SongReport) -> Int) -> Cell { .count(reports.map(value).max() ?? 0) }
    summary.rows.append([
      .text(timing), .count(songs.count), .count(outcomes.count { $0.child.exitCode == 0 }),
      sum(\.notes), sum(\.inexactOnsets), sum(\.stolenNotes), sum(\.clippedFrames), most(\.voices),
      most(\.lanes), .number(reports.compactMap(\.peakDBFS).max() ?? .nan, digits: 2),
    ])
  }
  return [summary, each]
}
