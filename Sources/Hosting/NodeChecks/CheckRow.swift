/// What a check measures, in the order in which it does.
package enum Measurement: String, CaseIterable, Encodable, Sendable {
  case start, messages, refusal, memory, events, connections, sound, repeatable, cycles, onset,
    release,
    rates, latency, tail, state, parameters, ramps, presets, sysex, transport, output, panic,
    deadlines, realtime, denormals, samples, end
  case play, claims, answers, silence, losses, lateness, scribbles, floods, files

  /// Those of ports of nodes only.
  package static let ofNodes: Set<Measurement> = [
    .messages, .refusal, .memory, .events, .connections, .panic, .end,
  ]

  /// Those of hosts, in their order.
  package static let ofHosts: [Measurement] = [
    .play, .claims, .answers, .silence, .losses, .lateness, .scribbles, .floods, .files,
  ]

  /// Those of ports and plugins.
  package static let ofPorts = allCases.filter { !ofHosts.contains($0) }
}

/// The result of one measurement.
package struct CheckRow: Encodable, Equatable, Sendable {
  package enum Verdict: String, Encodable, Sendable {
    case good
    /// Something depends on the host or is not fit for realtime, and a user may want it so.
    case warning
    /// Something contradicts a promise, or loses sound.
    case bad
    case unmeasured
  }

  /// A number of the result.
  package struct Figure: Encodable, Equatable, Sendable {
    package let name: String
    package let value: Double
    /// Such as "frames".
    package let unit: String

    package init(_ name: String, _ value: Double, _ unit: String) {
      (self.name, self.value, self.unit) = (name, value, unit)
    }
  }

  package let measurement: Measurement
  package let verdict: Verdict
  /// A few words, with the most important figure.
  package let result: String
  /// What the result means, in a sentence or two.
  package let explanation: String
  package let figures: [Figure]

  init(
    _ measurement: Measurement, _ verdict: Verdict, _ result: String, _ explanation: String,
    _ figures: [Figure] = []
  ) {
    (self.measurement, self.verdict, self.result) = (measurement, verdict, result)
    (self.explanation, self.figures) = (explanation, figures)
  }

  static func unmeasured(_ measurement: Measurement, _ reason: String) -> Self {
    Self(measurement, .unmeasured, "not measured", reason)
  }
}

extension [CheckRow] {
  /// The worst verdict.
  package var verdict: CheckRow.Verdict {
    let verdicts = Set(map(\.verdict))
    return verdicts.contains(.bad) ? .bad : verdicts.contains(.warning) ? .warning : .good
  }
}
