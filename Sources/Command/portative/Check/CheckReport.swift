import Configuration
import LV2Host
import LivePlayer
import NodeChecks
import NodeProtocol
import PluginNodes

/// What was measured of a plugin, a port or a host.
struct CheckReport: Encodable {
  /// What was checked, as `check` takes it.
  let subject: String
  let name: String
  let type: PortType
  /// Why it cannot be played; absent if it can.
  let problem: String?
  var rows: [CheckRow] = []

  /// - Parameter selection: `nil` if the plugin cannot be played.
  init(_ plugin: LV2Plugin, _ selection: PluginSelection?) {
    subject = "lv2:\(selection?.text ?? plugin.uri)"
    (name, type, problem) = (plugin.name, plugin.portType, plugin.problem)
  }

  /// - Parameter subject: What the user has named.
  init(_ port: PortDescription, subject: String) {
    (self.subject, name, type, problem) = (subject, port.name, port.component.type, nil)
  }

  /// - Parameter host: The path of a program that plays a port of this type.
  init(host: String, plays type: PortType) {
    (subject, self.type, problem) = (host, type, nil)
    name = host.split(separator: "/").last.map(String.init) ?? host
  }

  var verdict: CheckRow.Verdict { problem == nil ? rows.verdict : .unmeasured }

  private enum Key: CodingKey { case subject, name, type, problem, verdict, rows }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(subject, forKey: .subject)
    try container.encode(name, forKey: .name)
    try container.encode(type, forKey: .type)
    try container.encodeIfPresent(problem, forKey: .problem)
    try container.encode(verdict, forKey: .verdict)
    try container.encode(rows, forKey: .rows)
  }
}

/// Reports as text, in columns.
struct CheckText {
  private var columns = Columns()

  func head(_ report: CheckReport) -> OutputText {
    "\(report.name), \(report.type.rawValue): \(report.subject)\n"
  }

  /// The line of a measurement, with its explanation below, unless it is good.
  mutating func lines(_ row: CheckRow) -> OutputText {
    // All measurements have the same columns from the first line on.
    let measurements = Measurement.allCases.map { ["warning", $0.rawValue, ""] }
    _ = columns.lines(measurements)
    let result =
      row.verdict == .unmeasured ? "\(row.result): \(row.explanation)" : row.result
    var rows = [[row.verdict.text, row.measurement.rawValue, result]]
    if row.verdict == .warning || row.verdict == .bad, row.explanation != row.result {
      rows += Self.paragraph(row.explanation, width: Self.width - 27).enumerated().map {
        ["", "", ($0.offset == 0 ? "→ " : "  ") + $0.element]
      }
    }
    return columns.lines(rows).map { "\($0)\n" }.joined()
  }

  func summary(_ report: CheckReport) -> OutputText {
    let bad = report.rows.count { $0.verdict == .bad }
    let warnings = report.rows.count { $0.verdict == .warning }
    if bad + warnings == 0 { return "nothing is wrong\n" }
    return "\(bad) wrong, \(counted(warnings, "warning"))\n"
  }

  /// One line for a plugin.
  mutating func line(_ report: CheckReport) -> OutputText {
    let notable = report.rows.filter { $0.verdict == .bad || $0.verdict == .warning }
      .map { "\($0.measurement.rawValue) \($0.result)" }
    let text =
      report.problem.map { "cannot be played: \($0)" }
      ?? (notable.isEmpty ? "nothing is wrong" : notable.joined(separator: "; "))
    return columns.lines([[report.verdict.text, report.name, report.subject, text]])
      .map { "\($0)\n" }.joined()
  }

  private static var width: Int { Terminal.outputIsTerminal ? Terminal.outputSize.columns : 100 }

  /// Returns the lines of a text.
  private static func paragraph(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, TerminalText.width(last) + word.count < max(width, 20) {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension CheckRow.Verdict {
  fileprivate var text: String { self == .unmeasured ? "-" : rawValue }
}
