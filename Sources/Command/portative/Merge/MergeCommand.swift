import BatchRenderer
import LocalSystem

/// The verb `merge`: joins the reports of all parts of a list.
enum MergeCommand {
  /// - Parameter arguments: The arguments after `merge`.
  static func run(_ arguments: [String]) -> ExitCode {
    do throws(Failure) {
      let options = try MergeOptions(arguments: arguments)
      if options.wantsHelp { return Command.say(Help.merge) }
      let parts = try ReportParts(options.inputs)
      let tally = try parts.write(to: options.output)
      if !options.isQuiet { Terminal.note(RunSummary(tally).text(elapsed: nil)) }
      return ExitCode(tally.failureKind)
    } catch {
      Terminal.complain(error.message)
      return error.exitCode
    }
  }
}
