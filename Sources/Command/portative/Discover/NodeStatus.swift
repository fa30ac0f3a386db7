import Configuration
import LocalSystem
import NodeHost
import NodeProtocol

/// The list of `portative list --status`: the running nodes, who plays their ports, and their load.
enum NodeStatus {
  /// Writes the list. Nodes that do not answer, and an unusable runtime folder or file of a node, are reported, and do not
  /// prevent the list of the others.
  static func write(isJSON: Bool) throws -> ExitCode {
    let host = AudioHost(name: "portative list")
    var code = ExitCode.done
    var reports: [NodeReport] = []
    let (nodes, problems) = RunningNode.read(in: NodeDirectories())
    for problem in problems {
      code = Command.end(Failure(.failed, problem.message), json: nil)
    }
    for node in nodes {
      do {
        reports.append(try host.report(of: node))
      } catch {
        code = Command.end(error, json: nil)
      }
    }
    if reports.isEmpty, code != .done { return code }
    try Command.write(
      isJSON ? reports.map { JSONOutput.status.line($0) }.joined() : StatusTable.text(reports))
    return code
  }
}
