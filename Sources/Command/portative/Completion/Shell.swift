import Configuration

/// The syntax of shells, as far as commands and completions for users need it.
enum Shell {
  /// Quotes a word for a shell.
  static func quoted(_ text: some StringProtocol) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  /// Returns a word as a shell reads it: quoted if it needs to be.
  static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122: true
      default: "-_./=:,+".utf8.contains(byte)
      }
    }
    return isPlain && !text.isEmpty ? text : quoted(text)
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
  /// The options that need a value.
  var valued: [OptionEntry] { help().options.filter { $0.neededValue != nil } }
}
