/// Returns a table with a row for each setting, with median and p99 of each contestant.
///
/// - Parameter ratios: The columns of ratios; a ratio is omitted if one of its contestants is missing.
func roundTripTable(
  _ title: String, _ races: [RoundTripRace], _ contestants: [RoundTripContestant],
  ratios: [RoundTripRatio]
) -> Table {
  let ratios = ratios.filter { contestants.contains($0.one) && contestants.contains($0.other) }
  var table = Table(
    title: title,
    note: "Median (minimum…maximum) of interleaved rounds. In a cycle, the node zeroes two "
      + "channels and the host copies them, unless only numbers are exchanged.",
    columns: ["policy", "cores", "frames"]
      + contestants.flatMap { ["\($0.rawValue), median", "\($0.rawValue), p99"] }
      + ratios.map(\.name))
  for race in races {
    let results = contestants.flatMap { contestant in
      [race.runs(of: contestant, \.median), race.runs(of: contestant, \.p99)]
    }
    table.rows.append(
      race.setting.cells + results.map { .runs($0, digits: 1) }
        + ratios.map { .runs($0.runs(in: race), digits: 2) })
  }
  return table
}

/// Returns the targets of the connection's round trip.
///
/// - Parameters:
///   - unpaced: The runs for the comparison with the bare futex, on the same processor.
///   - paced: The runs for the comparison with JACK: real-time scheduling, its clients on any or on one processor.
func roundTripTargets(unpaced: [RoundTripRace], paced: [RoundTripRace]) -> Table {
  var table = Table(title: "Round trips against their targets", columns: Target.columns)
  func add(_ races: [RoundTripRace], _ ratio: RoundTripRatio, _ bound: Double, _ setting: String) {
    let medians = races.map { ratio.runs(in: $0) }.filter { !$0.values.isEmpty }.map(\.median)
    if medians.isEmpty { return }
    table.rows.append(Target.atMost(bound, "\(ratio.name), \(setting)").row(medians))
  }
  for policy in [RoundTripSetting.Policy.fifo, .other] {
    let races = unpaced.filter {
      $0.setting.policy == policy && $0.setting.placement == .same && $0.setting.touches
    }
    let setting = "\(policy.rawValue), same core, 64 to 1024 frames"
    add(races, .init(.connection, to: .futex, "medians", \.median), 1.15, setting)
    add(races, .init(.connection, to: .futex, "p99", \.p99), 1.5, setting)
  }
  for placement in [RoundTripSetting.Placement.free, .same] {
    let races = paced.filter {
      $0.setting.policy == .fifo && $0.setting.placement == placement
    }
    let name = placement == .free ? "JACK as it comes" : "JACK kept on one core"
    add(races, .init(.connection, to: .jack, "medians", \.median), 0.25, "fifo, \(name)")
  }
  return table
}

/// The ratio of a statistic of two contestants.
struct RoundTripRatio {
  let one: RoundTripContestant
  let other: RoundTripContestant
  private let what: String
  private let value: (RoundTrips) -> Double

  init(
    _ one: RoundTripContestant, to other: RoundTripContestant, _ what: String,
    _ value: @escaping (RoundTrips) -> Double
  ) {
    self.one = one
    self.other = other
    self.what = what
    self.value = value
  }

  var name: String { "\(one.rawValue) ÷ \(other.rawValue), \(what)" }

  /// Returns one ratio per round.
  func runs(in race: RoundTripRace) -> Runs { race.ratio(one, to: other, value) }
}

/// Returns a table with a row for each setting and contestant; it is written to the file only.
func roundTripDetails(_ races: [RoundTripRace]) -> Table {
  var table = Table(
    title: "Round trips, microseconds",
    columns: [
      "policy", "cores", "frames", "rate", "cycles", "contestant", "median", "p99", "p99.9", "most",
      "late",
    ], isPrinted: false)
  for race in races {
    for contestant in RoundTripContestant.allCases where race.rounds[contestant] != nil {
      let values: [(RoundTrips) -> Double] = [\.median, \.p99, \.p999, \.maximum]
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
