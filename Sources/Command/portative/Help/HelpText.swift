import Configuration

/// The help of a verb, from which `--help` and its manual page are made.
struct HelpText: Sendable {
  /// The forms of the command.
  let usage: [String]
  /// Paragraphs with empty lines between them. Indented ones are examples or lists.
  let description: String
  let options: [OptionEntry]
  /// Paragraphs after the options.
  let remarks: String
  /// The exit codes of this verb.
  let exitCodes: [ExitStatus]
  /// At least three commands. A line that is indented continues the command before.
  let examples: String

  init(
    usage: [String], description: String, options: [OptionEntry], remarks: String = "",
    exitCodes: [ExitStatus] = ExitStatus.of(0, 1, 2), examples: String
  ) {
    self.usage = usage
    self.description = description
    self.options = options
    self.remarks = remarks
    self.exitCodes = exitCodes
    self.examples = examples
  }

  /// The text of `--help`.
  var text: String {
    let commands = commands
    var paragraphs = [
      commands.prefix(3).joined(separator: "\n").indented,
      "Usage: " + usage.joined(separator: "\n       "), description, options.help,
    ]
    if !remarks.isEmpty { paragraphs.append(remarks) }
    if commands.count > 3 {
      let rest = commands.dropFirst(3).joined(separator: "\n")
      paragraphs.append("More examples:\n\(rest.indented)")
    }
    paragraphs.append("Exit codes:\n\(exitCodes.help)")
    return paragraphs.joined(separator: "\n\n") + "\n"
  }

  /// The commands of ``examples``.
  var commands: [String] {
    examples.split(separator: "\n").reduce(into: []) { commands, line in
      if line.hasPrefix(" "), let last = commands.indices.last {
        commands[last] += "\n\(line)"
      } else {
        commands.append(String(line))
      }
    }
  }
}

extension String {
  /// The text with each line that is not empty moved to the right.
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
  }
}
