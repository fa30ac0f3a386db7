/// Measures many songs: a whole folder in one run, and thousands of short files.
func librarySection(_ bench: Bench) throws -> [Table] {
  let fonts = bench.fonts(named: bench.isQuick ? ["TimGM6mb"] : ["FluidR3", "TimGM6mb"])
  return try fonts.flatMap { try folderOfSongs($0, bench) } + shortFiles(bench)
}

/// - Returns: A table of the runs, and a table of the results against the targets.
private func folderOfSongs(_ font: Bench.SoundFont, _ bench: Bench) throws -> [Table] {
  let songs = bench.isQuick ? Array(bench.songs.prefix(6)) : bench.songs
  let programs = LibraryContestant.all(bench)
  var runs = programs.map { _ in [Child]() }
  for round in 0..<(bench.isQuick ? 1 : 3) {
    for (index, program) in programs.enumerated() {
      bench.log("library: \(font.name), \(program.name), round \(round + 1)")
      runs[index].append(try program.run(songs, font, in: bench))
    }
  }
  var table = Table(
    title: "\(songs.count) songs, \(font.name), effects on",
    note: "Interleaved complete runs: median (minimum…maximum). No program renders a tail.",
    columns: ["program", "wall, s", "cpu, s", "of the speed of the loop", "peak, MB"])
  func speed(_ index: Int, of reference: Int) -> Runs {
    Runs(ratiosOf: runs[reference].map(\.wall), to: runs[index].map(\.wall))
  }
  let loop = programs.firstIndex { $0.role == .loop } ?? 0
  for (index, program) in programs.enumerated() {
    table.rows.append([
      .text(program.name), .runs(Runs(runs[index].map(\.wall)), digits: 1),
      .runs(Runs(runs[index].map(\.cpu)), digits: 1), .runs(speed(index, of: loop), digits: 2),
      .number(Double(runs[index].map(\.peakBytes).max() ?? 0) / 1e6, digits: 0),
    ])
  }
  var targets = Table(title: "Against targets, \(font.name)", columns: Target.columns)
  func add(_ target: Target, _ role: LibraryContestant.Role, than other: LibraryContestant.Role) {
    guard let one = programs.firstIndex(where: { $0.role == role }),
      let reference = programs.firstIndex(where: { $0.role == other })
    else { return }
    targets.rows.append(target.row(speed(one, of: reference).values))
  }
  add(.atLeast(2.2, "exact ÷ fluidsynth -F in a loop, speed"), .exact, than: .loop)
  add(.atLeast(4, "exact ÷ fluidsynth -F in a loop, speed, aim"), .exact, than: .loop)
  add(.atLeast(1, "exact ÷ xargs -P fluidsynth -F, speed"), .exact, than: .xargs)
  add(.atLeast(2.8, "stock ÷ fluidsynth -F in a loop, speed"), .stock, than: .loop)
  add(.atLeast(1.8, "exact: two jobs on two cores ÷ one on one, speed"), .exact, than: .exactOne)
  add(.atLeast(1, "exact without effects ÷ symusic, speed"), .dry, than: .symusic)
  if let exact = programs.firstIndex(where: { $0.role == .exact }) {
    let allowed = Double(font.bytes + 100_000_000 * bench.machine.cores)
    targets.rows.append(
      Target.atMost(1, "peak of memory ÷ (SoundFont and 100 MB for each job)").row(
        runs[exact].map { Double($0.peakBytes) / allowed }))
  }
  return [table, targets]
}
