import Configuration
import LocalSystem
import PortativeServer

/// The verb `config`: the settings in force, and where each comes from.
enum ConfigCommand {
  /// - Parameter arguments: The arguments after `config`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try ConfigOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.config) }
    let report = try ConfigReport(.current, options)
    for warning in report.warnings { Terminal.note("portative: warning: \(warning)") }
    try Command.write(options.isJSON ? JSONOutput.config.line(report) : report.text)
    return report.problem.map { problem in
      Terminal.complain(problem)
      return .soundFontUnusable
    } ?? .done
  }
}
