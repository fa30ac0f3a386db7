import LocalSystem
package import NodeProtocol

/// Checks a host: lets it play a port of nodes that each misbehave in one way, and observes what it requests, and that it ends.
///
/// Realtime: no. Threads: one.
package struct HostCheck {
  private let path: String
  private let arguments: [String]
  private let type: PortType
  private let showsLog: Bool

  /// - Parameters:
  ///   - path: The host, an executable file, which is started for each fault.
  ///   - type: The type of the port.
  ///   - showsLog: Whether what the host writes appears on standard error.
  package init(_ path: String, _ arguments: [String], _ type: PortType, showsLog: Bool) {
    (self.path, self.arguments, self.type, self.showsLog) = (path, arguments, type, showsLog)
  }

  /// Checks, and returns the results in the order of ``Measurement/ofHosts``. The first is always how the host plays a node without a
  /// fault; if it does not, that is the only one.
  ///
  /// - Parameter accept: Called with each result when it is known.
  /// - Throws: What `accept` throws, or ``Failure`` if the host cannot be started.
  package func run(
    _ measurements: [Measurement], accept: (CheckRow) throws -> Void
  ) throws -> [CheckRow] {
    var rows: [CheckRow] = []
    let first = try run(.none)
    for measurement in Measurement.ofHosts where measurements.contains(measurement) || rows.isEmpty
    {
      let row = try measure(measurement, after: first)
      rows.append(row)
      try accept(row)
      if measurement == .play, row.verdict == .bad { break }
    }
    return rows
  }

  private func run(_ fault: HostFault) throws(Failure) -> HostRun {
    try HostRun(path, arguments, fault, type, showsLog: showsLog)
  }

  /// - Parameter first: The run with a node without a fault.
  private func measure(_ measurement: Measurement, after first: HostRun) throws -> CheckRow {
    var problems: [(verdict: CheckRow.Verdict, text: String)] = []
    var cycles = 0
    var events = 0
    let faults = HostFault.allCases.filter { $0.measurement == measurement }
    for fault in faults where Interruption.signal == nil {
      let run = fault == .none ? first : try run(fault)
      cycles += run.observation.cycles
      events += run.observation.events
      if let problem = run.problem(usualGrowth: first.growth) { problems.append(problem) }
    }
    let figures: [CheckRow.Figure] = [
      .init("faults", Double(faults.count), "faults"), .init("cycles", Double(cycles), "cycles"),
      .init("events", Double(events), "events"),
    ]
    let good =
      measurement == .play
      ? "\(cycles) right cycles, \(events) events" : "\(faults.count) survived"
    if problems.isEmpty {
      let all = faults.map(\.description).joined(separator: "; ")
      return CheckRow(measurement, .good, good, all, figures)
    }
    let isBad = problems.contains { $0.verdict == .bad }
    return CheckRow(
      measurement, isBad ? .bad : .warning,
      "\(problems.count) of \(faults.count) \(isBad ? "wrong" : "doubtful")",
      problems.map(\.text).joined(separator: "; ") + ".", figures)
  }
}
