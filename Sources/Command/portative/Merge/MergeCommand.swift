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
