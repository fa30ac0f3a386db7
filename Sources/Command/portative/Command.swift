import BatchRenderer
import Glibc
import LocalSystem
import Options

/// The program `portative`: finds the verb and runs it.
enum Command {
  private struct Verb: Sendable {
    let name: String
    /// The kind of JSON in which an error is also written, under `--json`.
    var errorOutput: JSONOutput?
    /// Runs the verb with the arguments after its name.
    let run: @Sendable ([String]) throws -> ExitCode
  }

  private static let verbs = [
    Verb(name: "render", errorOutput: .render, run: RenderCommand.run),
    Verb(name: "merge", run: MergeCommand.run),
    Verb(name: "serve", run: ServeCommand.run),
    Verb(name: "list", run: ListCommand.run),
    Verb(name: "describe", run: DescribeCommand.run),
    Verb(name: "presets", run: PresetsCommand.run),
    Verb(name: "get", run: GetCommand.run),
    Verb(name: "set", run: SetCommand.run),
    Verb(name: "scene", run: SceneCommand.run),
    Verb(name: "zones", run: ZonesCommand.run),
    Verb(name: "panic", run: PanicCommand.run),
    Verb(name: "take", run: TakeCommand.run),
    Verb(name: "learn", run: LearnCommand.run),
    Verb(name: "play", errorOutput: .play, run: PlayCommand.run),
    Verb(name: "connect", run: ConnectCommand.run),
    Verb(name: "status", run: StatusCommand.run),
    Verb(name: "panel", run: PanelCommand.run),
    Verb(name: "remote", run: RemoteControl.run),
    Verb(name: "lv2", run: LV2Command.run),
    Verb(name: "doctor", run: DoctorCommand.run),
  ]

  /// - Parameter arguments: The arguments after the program's name.
  static func run(_ arguments: [String]) -> ExitCode {
    Interruption.watch()
    let verb = verbs.first { $0.name == arguments.first }
    do {
      return try verb?.run(Array(arguments.dropFirst())) ?? runWithoutVerb(arguments.first)
    } catch {
      return end(
        Failure(error), json: arguments.contains("--json") ? verb?.errorOutput : nil)
    }
  }

  private static func runWithoutVerb(_ word: String?) throws -> ExitCode {
    switch word {
    case nil:
      Terminal.write(Help.short, to: STDERR_FILENO)
      return .usage
    case "--help", "-h", "help": return try write(Help.overview)
    case "--version", "-V":
      return try write("portative \(portativeVersion)\n\(RenderReport.Library.loaded.summary)\n")
    case let word?:
      let hint = closest(to: word, among: verbs.map(\.name) + ["--help", "--version"])
      throw Failure.usage(
        "unknown command '\(word)': "
          + (hint.map { "did you mean \($0)?" } ?? "see portative --help"))
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

  /// Writes a verb's result to standard output.
  ///
  /// - Throws: ``Failure/standardOutput(_:)`` if it was not written completely.
  @discardableResult static func write(_ text: String) throws(Failure) -> ExitCode {
    if Terminal.write(text, to: STDOUT_FILENO) { return .done }
    throw .standardOutput(errno)
  }
}
