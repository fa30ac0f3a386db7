import BatchRenderer
import Configuration
import NodeHost

extension Warnings {
  /// Returns warnings about the cycles of a connection.
  static func of(_ report: PlayReport) -> [String] {
    var sentences: [String] = []
    let node = "its node '\(report.node)' (process \(report.processID))"
    if report.lateCycles > 0 {
      // As many as park a connection: no load of the machine explains them.
      let remedy =
        report.longestStall >= Connection.usualLateLimit
        ? "\(node) hung or was stopped, for up to \(report.longestStall) cycles"
        : "use longer cycles (--cycle), or close other programs"
      sentences.append(
        "\(report.port): \(report.lateCycles) of \(counted(report.cycles, "cycle")) late, and silent: \(remedy)"
      )
    }
    if report.absentCycles > 0 {
      let all = counted(report.cycles + report.absentCycles, "cycle")
      sentences.append(
        "\(report.port): \(report.absentCycles) of \(all) silent, because \(node) was lost, or had parked the port"
      )
    }
    if report.invalidSamples > 0 {
      sentences.append(
        "\(report.port): \(counted(report.invalidSamples, "sample")) infinite or not a number, and silent: "
          + "the node '\(report.node)' has a fault; report it to its developer")
    }
    return sentences
  }
}
