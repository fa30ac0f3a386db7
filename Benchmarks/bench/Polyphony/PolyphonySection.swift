import FluidSynthEngine
import LocalSystem
import Synchronization

/// Measures how many voices fit into a cycle of 64 frames, with one thread and with two.
func polyphonySection(_ bench: Bench) throws -> [Table] {
  let limit = 0.7 * PolyphonyRace.cycleSeconds * 1e6
  var table = Table(
    title: "Voices until a cycle of 64 frames takes 70 % of its time",
    note: """
      48 kHz, reverb and chorus on, string notes that are held, \(bench.machine.cores) cores. A thread \
      with SCHED_FIFO renders a cycle every 1333 µs, as a sound device does; notes are added until the median cycle of each round takes \
      more than \(Int(limit)) µs, or \(HeldNote.count) are held: then the voices are those of the last load. The contestants take \
      turns. Median (minimum…maximum) of the rounds.
      """,
    columns: ["SoundFont", "contestant", "voices", "ratio to `exact` on one thread"])
  var cycles = Table(
    title: "Cycle times against the number of voices, microseconds", note: "Of the same rounds.",
    columns: ["SoundFont", "contestant", "voices", "time of a cycle"])
  var targets = Table(title: "Polyphony against its target", columns: Target.columns)
  var ratios: [Double] = []
  for font in bench.fonts(named: ["TimGM6mb", "FluidR3"]).prefix(bench.isQuick ? 1 : 2) {
    bench.log("polyphony: \(font.name)")
    let race = try PolyphonyRace.run(font, bench)
    guard let one = race.results.first?.voices(within: limit) else { continue }
    for result in race.results {
      let voices = result.voices(within: limit)
      let ratio = Runs(ratiosOf: voices.values, to: one.values)
      table.rows.append([
        .text(font.name), .text(result.name), .runs(voices, digits: 0), .runs(ratio, digits: 2),
      ])
      for point in result.points {
        cycles.rows.append([
          .text(font.name), .text(result.name), .count(point.voices),
          .runs(Runs(point.times), digits: 0),
        ])
      }
    }
    ratios.append(
      Runs(ratiosOf: race.results[1].voices(within: limit).values, to: one.values).median)
  }
  cycles.isPrinted = false
  targets.rows.append(
    Target.atLeast(1.7, "voices of `exact` on two threads against one").row(ratios))
  return [table, targets, cycles]
}

/// The rounds of all contestants with one SoundFont. The first two are `exact` with one thread and with two.
struct PolyphonyRace {
  private(set) var results: [PolyphonyResult] = []

  static let cycleSeconds = Double(HeldNote.cycleFrames) / 48_000
  /// The notes of the first rounds; each further load has an eighth more.
  private static let firstNotes = 32

  /// Runs the race on a thread with realtime priority, if that is permitted.
  static func run(_ font: Bench.SoundFont, _ bench: Bench) throws -> PolyphonyRace {
    let result = Mutex<Result<PolyphonyRace, any Error>?>(nil)
    try SystemThread(name: "bench-polyphony") {
      _ = try? RealtimePriority.request(50)
      let race = Result { try PolyphonyRace(font, bench) }
      result.withLock { $0 = race }
    }.join()
    return try result.withLock { $0! }.get()
  }

  private init(_ font: Bench.SoundFont, _ bench: Bench) throws {
    let contestants: [any VoiceContestant] = [
      try UnitVoices(.exact, threads: 1, font), try UnitVoices(.exact, threads: 2, font),
      try UnitVoices(.stock, threads: 1, font), try LibraryVoices(cores: 1, font),
      try LibraryVoices(cores: 2, font),
    ]
    results = contestants.map { PolyphonyResult(name: $0.name) }
    let (rounds, cycles) = bench.isQuick ? (5, 60) : (11, 150)
    let limit = 0.7 * Self.cycleSeconds * 1e6
    var notes = 0
    var goal = Self.firstNotes
    while goal <= HeldNote.count {
      try Interruption.check()
      let racing = results.indices.filter { !results[$0].isBeyond(limit) }
      if racing.isEmpty { return }
      for index in racing {
        for note in notes..<goal { contestants[index].begin(HeldNote(note)) }
      }
      (notes, goal) = (goal, goal + max(goal / 8, 8))
      // Until the attacks have passed.
      for index in racing { for _ in 0..<750 { contestants[index].render() } }
      for index in racing {
        results[index].points.append(PolyphonyResult.Point(voices: contestants[index].voices))
      }
      for _ in 0..<rounds {
        for index in racing {
          results[index].add(Self.medianTime(contestants[index], cycles: cycles))
        }
      }
    }
  }

  /// Renders cycles at the pace of a sound device.
  ///
  /// - Returns: The median time of a cycle in microseconds.
  private static func medianTime(_ contestant: any VoiceContestant, cycles: Int) -> Double {
    let period = Int64(cycleSeconds * 1e9)
    var next = MonotonicClock.now
    return Runs(
      (0..<cycles).map { _ in
        next = max(next + period, MonotonicClock.now)
        MonotonicClock.sleep(until: next)
        let begin = MonotonicClock.now
        contestant.render()
        return Double(MonotonicClock.now - begin) / 1000
      }
    ).median
  }
}

/// The times of one contestant.
struct PolyphonyResult {
  let name: String
  var points: [Point] = []

  struct Point {
    let voices: Int
    /// The median time of a cycle in each round, in microseconds.
    var times: [Double] = []
  }

  init(name: String) { self.name = name }

  mutating func add(_ time: Double) { points[points.count - 1].times.append(time) }

  /// Whether every round of the last load took longer than `limit`.
  func isBeyond(_ limit: Double) -> Bool {
    guard let last = points.last else { return false }
    return Runs(last.times).minimum > limit
  }

  /// Returns the number of voices for each round at which a cycle takes `limit` microseconds.
  func voices(within limit: Double) -> Runs {
    Runs((0..<(points.first?.times.count ?? 0)).map { voices(within: limit, round: $0) })
  }

  /// The line through the last load within the limit and the one after it; each time grows with the voices. If the limit is
  /// not between two loads, the voices of the load that is next to it.
  private func voices(within limit: Double, round: Int) -> Double {
    let beyond = points.firstIndex { $0.times[round] > limit } ?? points.count
    guard beyond > 0, beyond < points.count else {
      return Double(points[min(beyond, points.count - 1)].voices)
    }
    let (a, b) = (points[beyond - 1], points[beyond])
    let slope = (b.times[round] - a.times[round]) / Double(b.voices - a.voices)
    return Double(a.voices) + (limit - a.times[round]) / slope
  }
}
