import BatchRenderer
import Configuration
import Glibc
import LocalSystem

/// The program `portative`: finds the verb and runs it.
enum Command {
  /// - Parameter arguments: The arguments after the program's name.
  static func run(_ arguments: [String]) -> ExitCode {
    Interruption.watch()
    let verb = Verbs.all.first { $0.name == arguments.first }
    do {
      return try verb?.run(Array(arguments.dropFirst())) ?? runWithoutVerb(arguments)
    } catch {
      var failure = Failure(error)
      if let verb { failure = failure.naming(verb) }
      return end(
        failure, json: arguments.contains("--json") ? verb?.errorOutput ?? .error : nil, verb)
    }
  }

  private static func runWithoutVerb(_ arguments: [String]) throws -> ExitCode {
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case nil:
      Terminal.write(OutputText(verbatim: Help.short), to: STDERR_FILENO)
      return .usage
    case "help" where !rest.isEmpty: return run([rest[0], "--help"])
    case "--help", "-h", "help": return try write(OutputText(verbatim: Help.overview(Verbs.groups)))
    case "--version", "-V": return try VersionCommand.run(rest)
    case PluginNodeCommand.name: return try PluginNodeCommand.run(rest)
    case ManualCommand.name: return try ManualCommand.run(rest, verbs: Verbs.all)
    case CompletionCommand.name: return try CompletionCommand.run(rest, verbs: Verbs.all)
    case let word? where SongFinder.isSong(word):
      throw Failure.usage("unknown command '\(word)': did you mean portative play '\(word)'?")
    case let word?:
      let hint =
        Verbs.others[word.lowercased()]
        ?? closest(to: word, among: Verbs.all.map(\.name) + ["--help", "--version"])
      throw Failure.usage(
        "unknown command '\(word)': "
          + (hint.map { "did you mean \($0)?" } ?? "see portative --help"))
    }
  }

  /// Reports why a verb failed, and ends the process if the failure is a signal. Incomplete files must have been
  /// removed.
  ///
  /// - Parameters:
  ///   - json: The kind of JSON in which the error is also written; `nil` without `--json`.
  ///   - verb: The verb that was used wrongly, if the failure is one of usage.
  static func end(_ failure: Failure, json: JSONOutput?, _ verb: Verb? = nil) -> ExitCode {
    if let signal = failure.signal { Interruption.end(by: signal) }
    Terminal.complain(failure.message, of: failure.kind == .usage ? verb?.name : nil)
    if let json {
      let error = RenderReport.SongError(input: nil, failure)
      Terminal.write(json.line(["error": error]), to: STDOUT_FILENO)
    }
    return failure.exitCode
  }

  /// Writes the help of a verb.
  static func write(_ help: HelpText) throws(Failure) -> ExitCode {
    try write(OutputText(verbatim: help.text))
  }

  /// Writes a verb's result to standard output.
  ///
  /// - Throws: ``Failure/standardOutput(_:)`` if it was not written completely.
  @discardableResult static func write(_ output: OutputText) throws(Failure) -> ExitCode {
    if Terminal.write(output, to: STDOUT_FILENO) { return .done }
    throw .standardOutput(errno)
  }
}

extension Failure {
  /// Returns the failure with other verbs that have the option that a verb lacks.
  fileprivate func naming(_ verb: Verb) -> Failure {
    guard let name = unknownOption else { return self }
    let others = Verbs.all.filter { $0.help().options.contains { $0.names.contains(name) } }
    if !(1...3 ~= others.count) || !name.hasPrefix("--") { return self }
    return .usage(
      "unknown option \(name): \(others.map(\.name).joined(separator: ", ")) \(others.count == 1 ? "has" : "have") it, but not \(verb.name)"
    )
  }
}
