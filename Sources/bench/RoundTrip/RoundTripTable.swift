/// A row for each setting, with median and p99 of each contestant.
///
/// - Parameter ratios: Contestants whose medians are compared; left out where one is not there.
func roundTripTable(
  _ title: String, _ races: [RoundTripRace], _ contestants: [RoundTripContestant],
  ratios: [(RoundTripContestant, RoundTripContestant)]
) -> Table {
  let ratios = ratios.filter { contestants.contains($0.0) && contestants.contains($0.1) }
  var table = Table(
    title: title,
    note: "Median (least…most) of rounds that took turns. In a cycle, the node zeroes two channels "
      + "and the host copies them, unless only numbers are exchanged.",
    columns: ["policy", "cores", "frames"]
      + contestants.flatMap { ["\($0.rawValue), median", "\($0.rawValue), p99"] }
      + ratios.map { "\($0.0.rawValue) ÷ \($0.1.rawValue), medians" })
  for race in races {
    let results = contestants.flatMap { contestant in
      [race.runs(of: contestant, \.median), race.runs(of: contestant, \.p99)]
    }
    table.rows.append(
      race.setting.cells + results.map { .runs($0, digits: 1) }
        + ratios.map { .runs(race.ratio($0.0, to: $0.1, \.median), digits: 2) })
  }
  return table
}

/// A row for each setting and contestant, for the file only.
func roundTripDetails(_ races: [RoundTripRace]) -> Table {
  var table = Table(
    title: "Round trips, microseconds",
    columns: [
      "policy", "cores", "frames", "rate", "cycles", "contestant", "median", "p99", "p99.9", "most",
      "late",
    ], isPrinted: false)
  for race in races {
    for contestant in RoundTripContestant.allCases where race.rounds[contestant] != nil {
      let values: [(RoundTrips) -> Double] = [\.median, \.p99, \.p999, \.most]
      table.rows.append(
        race.setting.cells + [
          .count(race.setting.rate ?? 0), .count(race.setting.cycles), .text(contestant.rawValue),
        ] + values.map { .runs(race.runs(of: contestant, $0), digits: 1) } + [
          .runs(race.runs(of: contestant) { Double($0.late) }, digits: 0)
        ])
    }
  }
  return table
}

extension RoundTripSetting {
  fileprivate var cells: [Cell] {
    [
      .text(policy.rawValue), .text(placement.rawValue),
      touches ? .count(frames) : .text("numbers only"),
    ]
  }
}
