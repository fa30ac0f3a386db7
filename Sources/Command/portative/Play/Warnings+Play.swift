import BatchRenderer
import Configuration

extension Warnings {
  /// Returns warnings about the cycles of a connection.
  static func of(_ report: PlayReport) -> [String] {
    var sentences: [String] = []
    if report.lateCycles > 0 {
      sentences.append(
        "\(report.port): \(report.lateCycles) of \(counted(report.cycles, "cycle")) late, and silent: use "
          + "longer cycles (--cycle), or close other programs")
    }
    if report.invalidSamples > 0 {
      sentences.append(
        "\(report.port): \(counted(report.invalidSamples, "sample")) infinite or not a number, and silent: "
          + "the node '\(report.node)' has a fault; report it to its developer")
    }
    return sentences
  }
}
