import Components
import HostConnection

/// The ports of nodes, as `portative status` shows them: within 100 columns, unless names are long.
enum StatusTable {
  static let head = ["PORT", "NODE", "HOST", "RATE", "LOAD", "PLAYED"]
  static let none = "No node runs: start one, such as portative serve.\n"

  static func rows(_ report: NodeReport) -> [[String]] {
    let node = "\(report.node.name) (\(report.node.processID))"
    if report.ports.isEmpty { return [["no port yet", node, "-", "-", "-", "-"]] }
    return report.ports.map { port in
      let host = port.host.map { "\($0.name) (\($0.processID))" } ?? "free"
      return [port.port.name, node, host] + (port.rendering.map(cells) ?? ["-", "-", "-"])
    }
  }

  private static func cells(_ rendering: PortReport.Rendering) -> [String] {
    let load = "\(decimal(rendering.load * 100, digits: rendering.load < 0.1 ? 1 : 0)) %"
    return ["\(rendering.sampleRate)", load, played(rendering)]
  }

  /// What was played, and what is not as one would wish.
  private static func played(_ rendering: PortReport.Rendering) -> String {
    var parts = [NoteFigures(rendering.unit)?.text ?? "\(rendering.cycles) cycles"]
    if rendering.malformedEvents > 0 { parts.append("\(rendering.malformedEvents) malformed") }
    if rendering.belatedEvents > 0 { parts.append("\(rendering.belatedEvents) belated") }
    if rendering.unsentEvents > 0 { parts.append("\(rendering.unsentEvents) unsent") }
    if rendering.isOffline { parts.append("offline") }
    return parts.joined(separator: ", ")
  }
}
