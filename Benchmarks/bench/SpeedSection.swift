/// Measures interleaved complete runs of `portative render` and `fluidsynth -F`.
func speedSection(_ bench: Bench) throws -> [Table] {
  let contestants = [
    Contestant.portative(bench, timing: "exact", cores: 1),
    .portative(bench, timing: "stock", cores: 1),
    .fluidSynth(cores: 1),
    .portative(bench, timing: "exact", cores: 2),
    .fluidSynth(),
  ]
  let (exactOne, stockOne, fluidOne, exactTwo, fluidFree) = (0, 1, 2, 3, 4)
  let songs = bench.songs(
    named: bench.isQuick
      ? ["5432gone_redfarn"] : ["keep_on_rolling", "tttheme2", "flying_scotsman"])
  let fonts = bench.fonts(named: bench.isQuick ? ["TimGM6mb"] : ["FluidR3", "TimGM6mb"])
  let dense = Bench.Song(path: "\(bench.scratch)/dense.mid")
  try denseSong(seconds: bench.isQuick ? 10 : 60).write(to: dense.path)

  var speeds = Table(
    title: "Seconds of song per second, whole runs, start-up included",
    columns: ["song", "SoundFont"] + contestants.map(\.name))
  var details = Table(
    title: "Runs",
    columns: ["song", "SoundFont", "program", "seconds", "wall", "cpu", "peak bytes"],
    isPrinted: false)
  var ratios: [[Double]] = [[], [], [], []]
  var denseRatios: [Double] = []
  var extra: [Double] = []
  for font in fonts {
    // Warm-up: afterwards the programs and the SoundFont are in the page cache.
    for contestant in contestants { _ = try contestant.run(bench.songs[0], font, in: bench) }
    for song in songs + [dense] {
      bench.log("speed: \(song.name), \(font.name)")
      let results = try race(contestants, song, font, in: bench)
      speeds.rows.append(
        [.text(song.name), .text(font.name)]
          + results.map { .runs(Runs($0.map(\.speed)), digits: 1) })
      for (contestant, results) in zip(contestants, results) {
        details.rows.append([
          .text(song.name), .text(font.name), .text(contestant.name),
          .number(results[0].seconds, digits: 2), .runs(Runs(results.map(\.child.wall)), digits: 2),
          .runs(Runs(results.map(\.child.cpu)), digits: 2),
          .count(results.map(\.child.peakBytes).max() ?? 0),
        ])
      }
      func ratio(_ a: Int, _ b: Int, _ of: (Contestant.Result) -> Double) -> Double {
        Runs(ratiosOf: results[a].map(of), to: results[b].map(of)).median
      }
      if song.path == dense.path {
        denseRatios.append(ratio(exactTwo, fluidFree, \.speed))
        continue
      }
      ratios[0].append(ratio(exactOne, stockOne, \.cpuPerSecond))
      ratios[1].append(ratio(stockOne, exactOne, \.speed))
      ratios[2].append(ratio(exactTwo, fluidFree, \.speed))
      ratios[3].append(ratio(stockOne, fluidOne, \.speed))
      extra.append(results[fluidFree][0].seconds / results[exactTwo][0].seconds)
    }
  }
  let longer = Runs(extra.map { ($0 - 1) * 100 })
  speeds.note =
    "48 kHz, reverb and chorus on, 16-bit WAV; median (minimum…maximum) of interleaved runs. "
    + "fluidsynth -F renders \(longer.minimum.formatted(digits: 1)) to "
    + "\(longer.maximum.formatted(digits: 1)) % more audio for a song, which counts in its favor."
  let targets = Table(
    title: "Speed against targets", note: "Medians of ratios run by run, per second of audio.",
    columns: Target.columns,
    rows: [
      Target.atMost(1.5, "exact ÷ stock on one core, processor time").row(ratios[0]),
      Target.atMost(1.5, "exact ÷ stock on one core, wall time").row(ratios[1]),
      Target.atLeast(1.5, "exact on two cores ÷ fluidsynth -F, speed").row(ratios[2]),
      Target.atLeast(1.7, "the same, of a dense song in which no note recurs").row(denseRatios),
      Target.atLeast(1.2, "stock ÷ fluidsynth -F on one core, speed").row(ratios[3]),
    ])
  return [speeds, targets, details]
}

/// - Returns: The runs of each contestant.
private func race(
  _ contestants: [Contestant], _ song: Bench.Song, _ font: Bench.SoundFont, in bench: Bench
) throws -> [[Contestant.Result]] {
  var results = contestants.map { _ in [Contestant.Result]() }
  for _ in 0..<(bench.isQuick ? 2 : 3) {
    for (index, contestant) in contestants.enumerated() {
      results[index].append(try contestant.run(song, font, in: bench))
    }
  }
  return results
}
