import BatchRenderer
import Configuration
import LocalSystem

/// The verb `merge`: joins the reports of all parts of a list.
enum MergeCommand {
  /// - Parameter arguments: The arguments after `merge`.
  static func run(_ arguments: [String]) throws(Failure) -> ExitCode {
    let options = try MergeOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.merge) }
    let tally = try ReportParts(options.inputs).write(to: options.output ?? "-")
    if !options.isQuiet { Terminal.note(RunSummary(tally).text(elapsed: nil)) }
    return ExitCode(tally.failureKind)
  }
}

extension Help {
  static let merge = HelpText(
    usage: [
      "portative merge [OPTIONS] PART.json …"
    ],
    description: """
      Joins the reports that render --shard I/N --report wrote for the parts of a
      list. The result is the report of the whole list, and the exit code is that of a
      run that renders all of it. Fails if a part is missing.
      """,
    options: MergeOptions.table.entries,
    examples: """
      portative merge -o all.json part.*.json
      """)
}

/// The options of `portative merge`.
struct MergeOptions: Equatable {
  /// The paths of the reports, of parts of one list.
  var inputs: [String] = []
  /// The path of the joined report; `-` or `nil` is standard output.
  var output: String?
  var isQuiet = false
  var wantsHelp = false

  /// Reads the arguments after `merge`.
  init(arguments: [String]) throws(Failure) {
    inputs = try Self.table.parse(arguments, into: &self)
    if !wantsHelp, inputs.isEmpty {
      throw .usage("no report was given: portative merge -o ALL.json PART.json …")
    }
  }

  static let table = OptionTable<MergeOptions>(rows: [
    .path("-o", "--output", value: "FILE", help: "write the report to FILE (-)", \.output),
    .quiet(\.isQuiet),
    .help(\.wantsHelp),
  ])
}
