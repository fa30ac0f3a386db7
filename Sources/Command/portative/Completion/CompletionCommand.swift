import LocalSystem

/// Writes the completions of a shell. It is not in the list of verbs, because only the installation uses it.
enum CompletionCommand {
  static let name = "completion"

  private enum Shell: String, CaseIterable { case bash, zsh, fish }

  /// - Parameter arguments: The name of the shell.
  static func run(_ arguments: [String], verbs: [Verb]) throws -> ExitCode {
    guard arguments.count == 1, let shell = Shell(rawValue: arguments[0]) else {
      throw Failure.usage("completion takes the name of a shell: bash, zsh or fish")
    }
    switch shell {
    case .bash: return try Command.write(OutputText(verbatim: BashCompletion.text(verbs)))
    case .zsh: return try Command.write(OutputText(verbatim: ZshCompletion.text(verbs)))
    case .fish: return try Command.write(OutputText(verbatim: FishCompletion.text(verbs)))
    }
  }
}
