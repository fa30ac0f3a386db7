/// Interleaved runs of several contestants in one setting.
struct RoundTripRace {
  let setting: RoundTripSetting
  private(set) var rounds: [RoundTripContestant: [RoundTrips]] = [:]

  init(_ setting: RoundTripSetting, _ contestants: [RoundTripContestant], rounds: Int) throws {
    self.setting = setting
    for _ in 0..<rounds {
      for contestant in contestants {
        self.rounds[contestant, default: []].append(try contestant.run(setting))
      }
    }
  }

  /// Returns one value per round; empty if the contestant did not take part.
  func runs(of contestant: RoundTripContestant, _ value: (RoundTrips) -> Double) -> Runs {
    Runs((rounds[contestant] ?? []).map(value))
  }

  /// Returns one ratio per round.
  func ratio(
    _ a: RoundTripContestant, to b: RoundTripContestant, _ value: (RoundTrips) -> Double
  ) -> Runs {
    Runs(ratiosOf: runs(of: a, value).values, to: runs(of: b, value).values)
  }
}
