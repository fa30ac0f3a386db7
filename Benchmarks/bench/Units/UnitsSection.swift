/// What units cost, what a connection adds to them, and what a chain of nodes does.
func unitsSection(_ bench: Bench) throws -> [Table] {
  [try unitCosts(bench), try ladenCycles(bench), try nodeChain(bench)]
}

/// Cycles of these many frames are measured, at 48 kHz in stereo.
let unitCycles = [64, 256]

/// Each unit, called directly.
private func unitCosts(_ bench: Bench) throws -> Table {
  var table = Table(
    title: "Units, called cycle by cycle, microseconds",
    note: "48 kHz, stereo, noise as input, the song at 120. Median (least…most) of rounds.",
    columns: ["unit"]
      + unitCycles.flatMap { ["\($0) frames", "% of the cycle's length, \($0)"] })
  guard let font = bench.fonts(named: ["TimGM6mb"]).first ?? bench.fonts.first else { return table }
  for load in try UnitLoad.all(font) {
    bench.say("units: \(load.name)")
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
