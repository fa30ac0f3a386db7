import BatchRenderer
import Options

extension Warnings {
  /// Returns warnings about the cycles of a connection.
  static func of(_ report: PlayReport) -> [String] {
    var sentences: [String] = []
    if report.lateCycles > 0 {
      sentences.append(
        "\(report.port): \(report.lateCycles) of \(counted(report.cycles, "cycle")) late, and silent: use "
          + "longer cycles (--cycle), or end what else keeps the machine busy")
    }
    if report.invalidSamples > 0 {
      sentences.append(
        "\(report.port): \(counted(report.invalidSamples, "sample")) infinite or not a number, and silent: "
          + "its node '\(report.node)' has a fault; tell whoever made it")
    }
    return sentences
  }
}
