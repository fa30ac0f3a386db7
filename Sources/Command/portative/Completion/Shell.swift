import Options

/// What the completions of all shells need.
enum Shell {
  /// Quotes a word for a shell.
  static func quoted(_ text: some StringProtocol) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  /// The beginning of a pattern that matches an extension in upper and lower case: `*.[mM][iI][dD]`.
  static func pattern(_ fileExtension: String) -> String {
    "*."
      + fileExtension.map { $0.isLetter ? "[\($0)\($0.uppercased())]" : String($0) }.joined()
  }
}

extension OptionEntry {
  /// The text in one line, which ends with its first clause.
  var brief: String {
    let text = help.split(separator: "\n").joined(separator: " ")
    return String(text.prefix { $0 != ";" })
  }
}

extension Verb {
  /// The options with a value.
  var valued: [OptionEntry] { help().options.filter { $0.value != nil } }
}
