import LocalSystem
import NodeDirectory
import NodeHost
import NodeProtocol
import Options

/// The verb `status`: the running nodes, who plays their ports, and their load.
enum StatusCommand {
  /// - Parameter arguments: The arguments after `status`.
  static func run(_ arguments: [String]) -> ExitCode {
    do throws(Failure) {
      let options = try StatusOptions(arguments: arguments)
      if options.wantsHelp { return Command.say(Help.status) }
      return show(RunningNode.all(in: NodeDirectories()), options)
    } catch {
      Terminal.complain(error.message)
      return error.exitCode
    }
  }

  private static func show(_ nodes: [PublishedNode], _ options: StatusOptions) -> ExitCode {
    let host = AudioHost(name: "portative status")
    var code = ExitCode.done
    var rows: [[String]] = []
    var lines = ""
    var sounds = ""
    for node in nodes {
      do throws(Failure) {
        let report = try host.report(of: node)
        rows += StatusTable.rows(report)
        sounds += StatusTable.sound(report)
        lines += JSONOutput.status.line(report)
      } catch {
        Terminal.complain(error.message)
        code = error.exitCode
      }
    }
    if rows.isEmpty, code != .done { return code }
    let text =
      rows.isEmpty ? StatusTable.none : Columns.text([StatusTable.head] + rows) + sounds
    let said = Command.say(options.isJSON ? lines : text)
    return said == .done ? code : said
  }
}

/// The options of `portative status`.
struct StatusOptions {
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `status`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage("status takes options only, but got '\(operand)'; see portative status --help")
    }
  }

  static let table = OptionTable<StatusOptions>(rows: [
    .init(names: ["--json"], value: nil, help: "a line of JSON for each node, with all figures") {
      options, _ throws(Failure) in options.isJSON = true
    },
    .init(names: ["-h", "--help"], value: nil, help: "this text") {
      options, _ throws(Failure) in options.wantsHelp = true
    },
  ])
}
