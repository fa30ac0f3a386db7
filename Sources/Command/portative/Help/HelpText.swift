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
  /// The differences from ``ExitStatus/all``, and additions.
  let exitCodes: [ExitStatus]
  /// The heading of the examples; `nil` for the usual one.
  let exampleTitle: String?
  let examples: String

  init(
    usage: [String], description: String, options: [OptionEntry], remarks: String = "",
    exitCodes: [ExitStatus] = [], exampleTitle: String? = nil, examples: String = ""
  ) {
    self.usage = usage
    self.description = description
    self.options = options
    self.remarks = remarks
    self.exitCodes = exitCodes
    self.exampleTitle = exampleTitle
    self.examples = examples
  }

  /// The text of `--help`.
  var text: String {
    var paragraphs = ["Usage: " + usage.joined(separator: "\n       "), description, options.help]
    if !remarks.isEmpty { paragraphs.append(remarks) }
    if !exitCodes.isEmpty { paragraphs.append("Exit codes:\n\(exitCodes.help)") }
    if !examples.isEmpty {
      paragraphs.append("\(exampleTitle ?? "Examples"):\n\(examples.indented)")
    }
    return paragraphs.joined(separator: "\n\n") + "\n"
  }
}

extension String {
  /// The text with each line that is not empty moved to the right.
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
  }
}
