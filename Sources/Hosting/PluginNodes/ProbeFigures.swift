import CRealtimeProbe
package import RenderCore

/// What a plugin has done on the render thread in its watched cycles. They pass between processes as the figures of its unit.
package struct ProbeFigures: Equatable, Sendable {
  package var cycles = 0
  /// The cycles that computed with denormal numbers; `nil` if the processor does not say so.
  package var denormalCycles: Int?
  /// The calls by the names of functions and of system calls.
  package private(set) var allocations: [String: Int] = [:]
  package private(set) var locks: [String: Int] = [:]
  /// `nil` if the kernel does not report them.
  package private(set) var systemCalls: [String: Int]?

  private static let mostFigures = 64
  private static let cycleName = "watched cycles"
  private static let denormalName = "cycles with denormal numbers"
  private static let countedName = "counted system calls"
  private static let prefixes = (
    allocation: "allocations by ", lock: "locks by ", systemCall: "system calls of "
  )

  /// The figures of this process.
  init(cycles: Int, denormalCycles: Int?) {
    (self.cycles, self.denormalCycles) = (cycles, denormalCycles)
    if realtime_probe_counts_system_calls() { systemCalls = [:] }
    let figures = UnsafeMutablePointer<realtime_probe_figure>.allocate(capacity: Self.mostFigures)
    defer { figures.deallocate() }
    let count = realtime_probe_figures(figures, Self.mostFigures)
    for figure in UnsafeBufferPointer(start: figures, count: count) {
      let (name, calls) = (String(cString: figure.name), Int(clamping: figure.count))
      switch figure.kind {
      case PROBE_ALLOCATION: allocations[name] = calls
      case PROBE_LOCK: locks[name] = calls
      default: systemCalls?[name] = calls
      }
    }
  }

  /// Reads figures of a unit in another process.
  package init(_ status: [UnitStatus]) {
    for figure in status {
      if figure.name == Self.cycleName {
        cycles = figure.value
      } else if figure.name == Self.denormalName {
        denormalCycles = figure.value
      } else if figure.name == Self.countedName {
        systemCalls = systemCalls ?? [:]
      } else if let name = figure.name.rest(after: Self.prefixes.allocation) {
        allocations[name] = figure.value
      } else if let name = figure.name.rest(after: Self.prefixes.lock) {
        locks[name] = figure.value
      } else if let name = figure.name.rest(after: Self.prefixes.systemCall) {
        systemCalls = systemCalls ?? [:]
        systemCalls?[name] = figure.value
      }
    }
  }

  /// The figures as those of a unit.
  var status: [UnitStatus] {
    func list(_ prefix: String, _ calls: [String: Int]) -> [UnitStatus] {
      calls.sorted { $0.key < $1.key }.map { UnitStatus(prefix + $0.key, $0.value) }
    }
    var status = [UnitStatus(Self.cycleName, cycles)]
    if let denormalCycles { status.append(UnitStatus(Self.denormalName, denormalCycles)) }
    if let systemCalls {
      status.append(UnitStatus(Self.countedName, systemCalls.values.reduce(0, +)))
    }
    return status + list(Self.prefixes.allocation, allocations)
      + list(Self.prefixes.lock, locks) + list(Self.prefixes.systemCall, systemCalls ?? [:])
  }
}

extension String {
  /// The text after a prefix; `nil` if it has another.
  fileprivate func rest(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
