import NodeHost
import RenderCore

private let length = 8

/// Measures a chain of eight delays in eight processes against a single delay.
func nodeChain(_ bench: Bench) throws -> Table {
  var table = Table(
    title: "A chain of eight nodes, microseconds",
    note: "Each delay has its own process; one host renders them in sequence: one core, "
      + "alternating. Median (minimum…maximum) of rounds.",
    columns: [
      "scheduler", "frames", "one node", "eight nodes", "eight ÷ eight times one",
      "eight bare futex round trips", "eight ÷ these",
    ])
  for policy in [RoundTripSetting.Policy.other, .fifo] {
    for frames in unitCycles {
      bench.log("units: a chain of \(length) nodes, \(frames) frames, \(policy.title)")
      guard let times = try policy.with({ try ChainTimes(bench, policy, frames: frames) }) else {
        break
      }
      table.rows.append([
        .text(policy.title), .count(frames),
        .runs(Runs(times.one.map { $0 / Double(length) }), digits: 1),
        .runs(Runs(times.eight), digits: 1),
        .runs(Runs(ratiosOf: times.eight, to: times.one), digits: 2),
        .runs(Runs(times.futex), digits: 1),
        .runs(Runs(ratiosOf: times.eight, to: times.futex), digits: 2),
      ])
    }
  }
  return table
}

/// The medians of each round, in microseconds; those of one node and of the futex for eight times.
private struct ChainTimes {
  private(set) var one: [Double] = []
  private(set) var eight: [Double] = []
  private(set) var futex: [Double] = []

  init(_ bench: Bench, _ policy: RoundTripSetting.Policy, frames: Int) throws {
    try Affinity.with(Affinity.cores.suffix(1)) {
      var processes: [UnitNodeProcess] = []
      defer { for process in processes { process.end() } }
      for number in 0..<length { processes.append(try UnitNodeProcess(number, in: bench)) }
      let chain = try processes.map { try $0.connect(.delay, frames: frames) }
      let input = StereoMemory(frames: frames, noise: 1)
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
          policy: policy, placement: .same, frames: frames, cycles: 5000)
        futex.append(try RoundTripContestant.futex.run(setting).median * Double(length))
      }
    }
  }
}
