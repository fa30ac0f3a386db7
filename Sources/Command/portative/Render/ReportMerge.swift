import BatchRenderer
import Configuration
import LocalSystem

extension RenderCommand {
  /// Joins the reports of all parts of a list: `--merge`.
  static func merge(_ arguments: RenderArguments) throws(Failure) -> ExitCode {
    let tally = try ReportParts(arguments.run.inputs).write(to: arguments.run.output ?? "-")
    if !arguments.display.isQuiet { Terminal.note(RunSummary(tally).text(elapsed: nil)) }
    return ExitCode(tally.failureKind)
  }
}
