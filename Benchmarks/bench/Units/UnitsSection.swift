/// Measures the cost of units, of a connection, and of a chain of nodes.
func unitsSection(_ bench: Bench) throws -> [Table] {
  [try unitCosts(bench), try loadedCycles(bench), try nodeChain(bench)]
}

/// The measured cycle lengths in frames, at 48 kHz in stereo.
let unitCycles = [64, 256]

/// Measures each unit with direct calls.
private func unitCosts(_ bench: Bench) throws -> Table {
  var table = Table(
    title: "Units, called cycle by cycle, microseconds",
    note: "48 kHz, stereo, noise as input, the song at 120 beats per minute. "
      + "Median (minimum…maximum) of rounds.",
    columns: ["unit"]
      + unitCycles.flatMap { ["\($0) frames", "% of the cycle's length, \($0)"] })
  guard let font = bench.fonts(named: ["TimGM6mb"]).first ?? bench.fonts.first else { return table }
  for load in try UnitLoad.all(font) {
    bench.log("units: \(load.name)")
    var row = [Cell.text(load.name)]
    for frames in unitCycles {
      let meter = try UnitMeter(load, frames: frames)
      let times = Affinity.with(Affinity.cores.suffix(1)) {
        meter.times(rounds: bench.isQuick ? 3 : 7, cycles: 512 * 64 / frames)
      }
      let length = Double(frames) / 48_000 * 1e6
      row += [
        .runs(Runs(times), digits: 2), .number(Runs(times).median / length * 100, digits: 2),
      ]
    }
    table.rows.append(row)
  }
  return table
}
