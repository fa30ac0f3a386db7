import NodeHost
import RenderCore

/// Measures a chain of eight delays in eight processes against a single delay.
func nodeChain(_ bench: Bench) throws -> Table {
  let length = 8
  var table = Table(
    title: "A chain of eight nodes, microseconds",
    note: "Each delay has its own process; one host renders them in sequence: one core, default "
      + "scheduler, alternating. Median (minimum…maximum) of rounds.",
    columns: [
      "frames", "one node", "eight nodes", "eight ÷ eight times one",
      "eight bare futex round trips", "eight ÷ these",
    ])
  for frames in unitCycles {
    bench.log("units: a chain of \(length) nodes, \(frames) frames")
    try Affinity.with(Affinity.cores.suffix(1)) {
      var processes: [UnitNodeProcess] = []
      defer { for process in processes { process.end() } }
      for number in 0..<length { processes.append(try UnitNodeProcess(number, in: bench)) }
      let chain = try processes.map { try $0.connect(.delay, frames: frames) }
      let input = StereoMemory(frames: frames, noise: 1)
      var (one, eight, futex): ([Double], [Double], [Double]) = ([], [], [])
      for _ in 0..<(bench.isQuick ? 3 : 7) {
        let pair = try medianTimes(
          cycles: 2000,
          { chain[0].render(frames: frames, input: input.input) },
          {
            var audio = input.input
            for connection in chain {
              let status = connection.render(frames: frames, input: audio)
              guard status == .rendered else { return status }
              audio = connection.audio
            }
            return .rendered
          })
        one.append(pair.first * Double(length))
        eight.append(pair.second)
        let setting = RoundTripSetting(
          policy: .other, placement: .same, frames: frames, cycles: 5000)
        futex.append(try RoundTripContestant.futex.run(setting).median * Double(length))
      }
      table.rows.append([
        .count(frames), .runs(Runs(one.map { $0 / Double(length) }), digits: 1),
        .runs(Runs(eight), digits: 1), .runs(Runs(ratiosOf: eight, to: one), digits: 2),
        .runs(Runs(futex), digits: 1), .runs(Runs(ratiosOf: eight, to: futex), digits: 2),
      ])
    }
  }
  return table
}
