import LocalSystem
import NodeHost
import RenderCore

/// Measures what transport, parameters and input add to a connection's cycle.
///
/// Two ports of one node render alternately. Under the default scheduler, the times also depend on whether the kernel lets a
/// woken node preempt the host: with SCHED_BATCH, which prevents that, they are as under SCHED_FIFO.
func loadedCycles(_ bench: Bench) throws -> Table {
  var table = Table(
    title: "A connection's cycle with a transport, 16 parameter changes and stereo input",
    note: "Against a cycle without, microseconds. Empty units, one core, alternating. Median "
      + "(minimum…maximum) of rounds.",
    columns: ["scheduler", "frames", "without", "with", "with ÷ without"])
  bench.log("units: a connection's cycle")
  for policy in [RoundTripSetting.Policy.other, .fifo] {
    for frames in unitCycles {
      guard let medians = try policy.with({ try loadedCycles(bench, frames: frames) }) else {
        break
      }
      table.rows.append([
        .text(policy.title), .count(frames), .runs(Runs(medians.without), digits: 1),
        .runs(Runs(medians.with), digits: 1),
        .runs(Runs(ratiosOf: medians.with, to: medians.without), digits: 2),
      ])
    }
  }
  return table
}

/// Returns the medians of each round, in microseconds.
private func loadedCycles(
  _ bench: Bench, frames: Int
) throws -> (without: [Double], with: [Double]) {
  try Affinity.with(Affinity.cores.suffix(1)) {
    let process = try UnitNodeProcess(in: bench)
    defer { process.end() }
    let plain = try process.connect(.plain, frames: frames)
    let loaded = try process.connect(.loaded, frames: frames)
    let input = StereoMemory(frames: frames, noise: 1)
    var medians: (without: [Double], with: [Double]) = ([], [])
    for _ in 0..<(bench.isQuick ? 3 : 7) {
      let pair = try medianTimes(
        cycles: 4000,
        { plain.render(frames: frames) },
        {
          loaded.setTransport(Transport())
          for index in 0..<16 {
            _ = loaded.schedule(
              parameter: index, to: Float(index) / 16, over: frames, at: index * frames / 16)
          }
          return loaded.render(frames: frames, input: input.input)
        })
      medians.without.append(pair.first)
      medians.with.append(pair.second)
    }
    return medians
  }
}

/// Returns the median times of two kinds of alternating cycles, in microseconds.
///
/// - Throws: ``BenchError`` if a cycle is not rendered.
func medianTimes(
  cycles: Int, _ first: () -> RenderStatus, _ second: () -> RenderStatus
) throws -> (first: Double, second: Double) {
  func time(_ render: () -> RenderStatus) throws -> Double {
    let begin = MonotonicClock.now
    let status = render()
    let end = MonotonicClock.now
    guard status == .rendered else { throw BenchError("a cycle was \(status)") }
    return Double(end - begin) / 1000
  }
  var times: (first: [Double], second: [Double]) = ([], [])
  for _ in 0..<cycles {
    times.first.append(try time(first))
    times.second.append(try time(second))
  }
  return (Runs(times.first).median, Runs(times.second).median)
}
