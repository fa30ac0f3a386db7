import FluidSynthEngine
import Glibc

/// Measures what a cycle of 64 frames costs with exact timing, against stock timing with the same voices.
func costSection(_ bench: Bench) throws -> [Table] {
  var table = Table(
    title: "Processor time of a cycle of 64 frames against `stock`",
    note: """
      48 kHz, reverb and chorus on, string notes that are held and began at all 64 offsets in a block; the thread's \
      processor time of \(CostRace.cycles) cycles, in turns. `own buffers`: each lane mixes its voices in its own memory, as with a FluidSynth \
      whose buffers are not found. Median (minimum…maximum) of the rounds.
      """,
    columns: ["SoundFont", "voices", "`exact`", "`exact`, own buffers"])
  var targets = Table(title: "Cost of exact timing against its targets", columns: Target.columns)
  for (name, bounds) in [("TimGM6mb", [1.1, 1.1]), ("FluidR3", [1.2, 1.15])] {
    guard let font = bench.fonts(named: [name]).first else { continue }
    for (voices, bound) in zip([300, 1200], bounds) {
      try Interruption.check()
      bench.log("cost: \(font.name), \(voices) voices")
      let race = try CostRace(font, voices: voices, rounds: bench.isQuick ? 10 : 40)
      let ratio = Runs(ratiosOf: race.times[0], to: race.times[2])
      let own = Runs(ratiosOf: race.times[1], to: race.times[2])
      table.rows.append([
        .text(font.name), .count(race.voices), .runs(ratio, digits: 2), .runs(own, digits: 2),
      ])
      targets.rows.append(
        Target.atMost(bound, "\(font.name), \(voices) voices").row([ratio.median]))
    }
  }
  return [table, targets]
}

/// Three units that play the same notes: exact, exact with own buffers, and stock.
private struct CostRace {
  /// The microseconds of each round, by unit.
  private(set) var times: [[Double]] = [[], [], []]
  let voices: Int

  /// The cycles of a round.
  static let cycles = 20

  /// - Parameter voices: The least number of voices.
  init(_ font: Bench.SoundFont, voices: Int, rounds: Int) throws {
    let units = [
      try UnitVoices(.exact, threads: 1, font),
      try UnitVoices(.exact, threads: 1, font, sharesMixBuffers: false),
      try UnitVoices(.stock, threads: 1, font),
    ]
    var note = 0
    while units.contains(where: { $0.voices < voices }), note < HeldNote.count {
      for unit in units { unit.begin(HeldNote(note), at: note * 37 % HeldNote.cycleFrames) }
      note += 1
    }
    // Until the attacks have passed.
    for unit in units { for _ in 0..<750 { unit.render() } }
    self.voices = units[0].voices
    for _ in 0..<rounds {
      for (index, unit) in units.enumerated() {
        // Until the caches have what the unit uses.
        for _ in 0..<3 { unit.render() }
        let begin = Self.now
        for _ in 0..<Self.cycles { unit.render() }
        times[index].append(Self.now - begin)
      }
    }
  }

  /// The processor time of the thread in microseconds.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
