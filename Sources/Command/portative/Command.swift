import BatchRenderer
import Glibc
import LocalSystem
import Options

/// The program `portative`: finds the verb and runs it.
enum Command {
  private static let verbs: [(name: String, run: @Sendable ([String]) -> ExitCode)] = [
    ("render", RenderCommand.run), ("merge", MergeCommand.run), ("serve", ServeCommand.run),
    ("list", ListCommand.run),
    ("describe", DescribeCommand.run), ("play", PlayCommand.run), ("connect", ConnectCommand.run),
    ("status", StatusCommand.run),
    ("remote", RemoteControl.run), ("doctor", DoctorCommand.run),
  ]

  /// - Parameter arguments: The arguments after the program's name.
  static func run(_ arguments: [String]) -> ExitCode {
    Interruption.watch()
    switch arguments.first {
    case nil:
      Terminal.write(Help.short, to: STDERR_FILENO)
      return .usage
    case "--help", "-h", "help":
      return say(Help.overview)
    case "--version", "-V":
      return say("portative \(portativeVersion)\n\(RenderReport.Library.loaded.summary)\n")
    case let word?:
      if let verb = verbs.first(where: { $0.name == word }) {
        return verb.run(Array(arguments.dropFirst()))
      }
      let hint =
        closest(to: word, among: verbs.map(\.name) + ["--help", "--version"]).map {
          "did you mean \($0)?"
        }
        ?? "see portative --help"
      Terminal.complain("unknown command '\(word)': \(hint)")
      return .usage
    }
  }

  /// Reports why a verb failed, and ends the process if the failure is a signal. Incomplete files must have been
  /// removed.
  ///
  /// - Parameter json: The kind of JSON in which the error is also written; `nil` without `--json`.
  static func end(_ failure: Failure, json: JSONOutput?) -> ExitCode {
    if let signal = failure.signal { Interruption.end(by: signal) }
    Terminal.complain(failure.message)
    if let json {
      let error = RenderReport.SongError(input: nil, failure)
      Terminal.write(json.line(["error": error]), to: STDOUT_FILENO)
    }
    return failure.exitCode
  }

  static func say(_ text: String) -> ExitCode {
    if Terminal.write(text, to: STDOUT_FILENO) { return .done }
    return end(.standardOutput(errno), json: nil)
  }
}
