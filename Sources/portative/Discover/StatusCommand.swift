import Components
import HostConnection
import NodeHost
import RenderCore

/// The verb `status`: what runs, who plays what, and how it is doing.
enum StatusCommand {
  /// - Parameter arguments: Those after `status`.
  static func run(_ arguments: [String]) -> ExitCode {
    do throws(Failure) {
      let options = try StatusOptions(arguments: arguments)
      if options.wantsHelp { return Command.say(Help.status) }
      let running = ComponentRegistry().components().filter(\.isRunning)
      let nodes = running.map(\.node).reduce(into: [String]()) { nodes, node in
        if !nodes.contains(node) { nodes.append(node) }
      }
      return show(nodes.map { ($0, report(of: $0)) }, options)
    } catch {
      Terminal.complain(error.message)
      return error.code
    }
  }

  private static func report(of node: String) -> Result<NodeReport, ConnectionError> {
    Result { () throws(ConnectionError) in
      try AudioHost(name: "portative status").report(ofNode: node)
    }
  }

  private static func show(
    _ nodes: [(name: String, report: Result<NodeReport, ConnectionError>)], _ options: StatusOptions
  ) -> ExitCode {
    var code = ExitCode.done
    var rows: [[String]] = []
    var lines = ""
    for (name, report) in nodes {
      switch report {
      case .success(let report):
        rows += report.ports.map { row($0, of: report.node) }
        lines += RenderReport.encode(report, []) + "\n"
      case .failure(let error):
        Terminal.complain("the node '\(name)' does not say how it is: \(error)")
        code = .failed
      }
    }
    let head = ["PORT", "NODE", "HOST", "RATE", "CYCLES", "LOAD", "SAYS"]
    let text =
      rows.isEmpty
      ? "no node runs: start one, such as portative serve\n" : Columns.text([head] + rows)
    let said = Command.say(options.isJSON ? lines : text)
    return said == .done ? code : said
  }

  private static func row(_ port: PortReport, of node: Peer) -> [String] {
    let rendering = port.rendering
    return [
      port.port.name, "\(node.name) (\(node.processID))",
      port.host.map { "\($0.name) (\($0.processID))" } ?? "free",
      rendering.map { "\($0.sampleRate)" } ?? "-",
      rendering.map { "\($0.cycles)" } ?? "-",
      rendering.map { "\(decimal($0.load * 100, digits: 1)) %" } ?? "-",
      rendering.map { $0.unit.map { "\($0.value) \($0.name)" }.joined(separator: ", ") } ?? "",
    ]
  }
}

/// What `portative status` was asked for.
struct StatusOptions {
  var isJSON = false
  var wantsHelp = false

  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage("status takes options only, but got '\(operand)'")
    }
  }

  static let table = OptionTable<StatusOptions>(rows: [
    .init(names: ["--json"], value: nil, help: "a line of JSON for each node") {
      options, _ throws(Failure) in options.isJSON = true
    },
    .init(names: ["-h", "--help"], value: nil, help: "this text") {
      options, _ throws(Failure) in options.wantsHelp = true
    },
  ])
}
