import BatchRenderer
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
