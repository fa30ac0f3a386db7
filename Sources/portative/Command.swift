import Glibc

/// The program `portative`: finds the verb and runs it.
enum Command {
  static let version = "0.1.0"
  private static let verbs = ["render"]

  /// - Parameter arguments: Those after the program's name.
  static func run(_ arguments: [String]) -> ExitCode {
    Interruption.watch()
    switch arguments.first {
    case nil:
      Terminal.write(Help.short, to: STDERR_FILENO)
      return .usage
    case "--help", "-h", "help":
      return say(Help.overview)
    case "--version", "-V":
      return say("portative \(version)\n")
    case "render":
      return RenderCommand.run(Array(arguments.dropFirst()))
    case let word?:
      let hint =
        closest(to: word, among: verbs + ["--help", "--version"]).map { "did you mean \($0)?" }
        ?? "see portative --help"
      Terminal.complain("unknown command '\(word)': \(hint)")
      return .usage
    }
  }

  static func say(_ text: String) -> ExitCode {
    if Terminal.write(text, to: STDOUT_FILENO) { return .done }
    if errno == EPIPE { Interruption.end(by: SIGPIPE) }
    return .outputNotWritten
  }
}
