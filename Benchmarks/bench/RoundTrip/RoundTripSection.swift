/// Measures round trips from a host's process to a node's process, with interleaved contestants.
func roundTripSection(_ bench: Bench) throws -> [Table] {
  let paced = RoundTripContestant.allCases.filter(\.isReady)
  let unpaced = paced.filter(\.canRunWithoutRate)
  let policies = [RoundTripSetting.Policy.fifo, .other].filter(\.isPermitted)
  let placements: Set<RoundTripSetting.Placement> =
    bench.machine.cores > 1 ? [.same, .two, .free] : [.same]

  func race(
    _ settings: [RoundTripSetting], _ contestants: [RoundTripContestant]
  ) throws -> [RoundTripRace] {
    let possible = settings.filter {
      policies.contains($0.policy) && placements.contains($0.placement)
    }
    return try possible.map { setting in
      bench.log("roundtrip: \(setting.arguments.joined(separator: " "))")
      return try RoundTripRace(setting, contestants, rounds: bench.isQuick ? 3 : 5)
    }
  }
  let unpacedRaces = try race(unpacedSettings(bench), unpaced)
  let pacedRaces = try race(pacedSettings(bench), paced)
  return [
    roundTripTable(
      "Round trip between two processes, one cycle after another, microseconds", unpacedRaces,
      unpaced,
      ratios: [
        .init(.connection, to: .futex, "medians", \.median),
        .init(.connection, to: .futex, "p99", \.p99),
      ]),
    roundTripTable(
      "Round trip, cycles at \(pace) frames per second, microseconds", pacedRaces, paced,
      ratios: [
        .init(.connection, to: .jack, "medians", \.median),
        .init(.futex, to: .jack, "medians", \.median),
      ]),
    roundTripTargets(unpaced: unpacedRaces, paced: pacedRaces),
    roundTripDetails(unpacedRaces + pacedRaces),
  ]
}

/// Frames per second: higher than for music, so that many cycles of 1024 frames take little time.
private let pace = 192_000

private func unpacedSettings(_ bench: Bench) -> [RoundTripSetting] {
  let combinations: [(RoundTripSetting.Policy, RoundTripSetting.Placement)] =
    bench.isQuick
    ? [(.fifo, .same), (.other, .same)]
    : [(.fifo, .same), (.fifo, .two), (.other, .same), (.other, .free)]
  return combinations.flatMap { policy, placement in
    [(64, false), (64, true), (128, true), (1024, true)].map { frames, touches in
      RoundTripSetting(
        policy: policy, placement: placement, frames: frames, touches: touches, cycles: 20_000)
    }
  }
}

private func pacedSettings(_ bench: Bench) -> [RoundTripSetting] {
  let combinations: [(RoundTripSetting.Policy, RoundTripSetting.Placement)] =
    bench.isQuick ? [(.fifo, .free)] : [(.fifo, .same), (.fifo, .free), (.other, .free)]
  return combinations.flatMap { policy, placement in
    [(64, 2000), (128, 1000), (1024, 300)].map { frames, cycles in
      RoundTripSetting(
        policy: policy, placement: placement, frames: frames, rate: pace,
        cycles: bench.isQuick ? cycles / 2 : cycles)
    }
  }
}

extension RoundTripContestant {
  /// Whether the contestant runs on this machine; if not, it prints the reason.
  fileprivate var isReady: Bool {
    let setting = RoundTripSetting(
      policy: .other, placement: .free, frames: 64, rate: pace, cycles: 10)
    if (try? run(setting)) != nil { return true }
    printError("skipped: round trip by \(rawValue)")
    return false
  }
}

extension RoundTripSetting.Policy {
  /// Whether this process may use the policy; if not, the contestant prints the reason.
  fileprivate var isPermitted: Bool {
    let setting = RoundTripSetting(policy: self, placement: .free, frames: 64, cycles: 10)
    if (try? RoundTripContestant.futex.run(setting)) != nil { return true }
    printError("skipped: round trips under \(rawValue)")
    return false
  }
}
