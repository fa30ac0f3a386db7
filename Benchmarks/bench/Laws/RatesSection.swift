import FluidSynthEngine

/// Counts at each sample rate how often the laws hold and how many notes were rendered as silence.
///
/// Uses the FluidSynth that the dynamic loader finds; for another: `LD_LIBRARY_PATH=DIR bench rates`.
func ratesSection(_ bench: Bench) throws -> [Table] {
  let rates = [8000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000]
  var table = Table(
    title: "Laws at every rate, bit for bit",
    note:
      "The beginnings of songs, \(bench.isQuick ? 3 : 10) s each, with every SoundFont: dry left and right "
      + "and both effect sends; in the cycle law the finished sound as well. Silent notes are those "
      + "that have a voice and whose samples were all zero.",
    columns: [
      "rate", "onset", "cycle", "superposition", "compared", "silent notes", "first that differs",
    ])
  for rate in rates {
    bench.log("rates: \(rate)")
    let results = try rateResults(bench, rate: rate)
    func held(_ law: KeyPath<RateResult, [Trial]>) -> Cell {
      .count(results.flatMap { $0[keyPath: law] }.count { $0.isIdentical && !$0.isSilent })
    }
    let all = results.flatMap { $0.onset + $0.cycle + $0.superposition }
    table.rows.append([
      .count(rate), held(\.onset), held(\.cycle), held(\.superposition), .count(all.count),
      .count(results.reduce(0) { $0 + $1.silentNotes }),
      .text(all.first { !$0.isIdentical || $0.isSilent }?.what ?? "–"),
    ])
  }
  return [table]
}

private struct RateResult: Sendable {
  var onset: [Trial] = []
  var cycle: [Trial] = []
  var superposition: [Trial] = []
  var silentNotes = 0
}

private func rateResults(_ bench: Bench, rate: Int) throws -> [RateResult] {
  let songs = bench.songs(
    named: bench.isQuick ? ["tttheme2"] : ["keep_on_rolling", "tttheme2", "the_hobo_redfarn"])
  let fonts = bench.fonts
  return try inParallel(fonts.count * songs.count) { index in
    let (font, song) = (fonts[index % fonts.count], songs[index / fonts.count])
    let passage = try Passage(song, seconds: bench.isQuick ? 3 : 10, rate: rate)
    return try rateResult(passage, song.name, font, rate)
  }
}

private func rateResult(
  _ passage: Passage, _ name: String, _ font: Bench.SoundFont, _ rate: Int
) throws -> RateResult {
  var result = RateResult()
  var first = try PassagePlayer(passage, font: font, rate: rate)
  let reference = try first.fingerprint()
  let statistics = first.instrument.statistics
  result.silentNotes =
    statistics.silentNotes - statistics.unmappedNotes + statistics.unusableLanes
  func trial(_ what: String, _ isIdentical: Bool) -> Trial {
    Trial(
      font: font.name, what: "\(name) \(what), \(font.name)", isIdentical: isIdentical,
      isSilent: reference.isSilent)
  }
  for shift in [17, 1000] {
    var player = try PassagePlayer(passage.shifted(by: shift), font: font, rate: rate)
    let sums = try player.fingerprint(from: shift).sums
    result.onset.append(trial("shifted by \(shift)", sums == reference.sums))
  }
  for length in [64, 100] {
    var player = try PassagePlayer(passage, font: font, rate: rate)
    let found = try player.fingerprint { length }
    result.cycle.append(trial("in cycles of \(length)", found == reference))
  }
  let parts = passage.divided(by: .channel)
  if parts.count > 1 {
    let difference = try firstDifference(passage, parts, font, rate: rate)
    result.superposition.append(trial("divided by channel", difference == nil))
  }
  return result
}
