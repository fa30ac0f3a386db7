/// One option as help, manuals and completions show it.
package struct OptionEntry: Equatable, Sendable {
  /// The names, the short one first.
  package let names: [String]
  /// The name of the value; `nil` for a switch.
  package let value: String?
  /// Whether the value may be missing.
  package let isValueOptional: Bool
  /// The text, with the line breaks of `--help`.
  package let help: String
  package let repeats: Bool
  package let completion: OptionCompletion

  package init(
    names: [String], value: String?, isValueOptional: Bool = false, help: String, repeats: Bool,
    completion: OptionCompletion
  ) {
    self.names = names
    self.value = value
    self.isValueOptional = isValueOptional
    self.help = help
    self.repeats = repeats
    self.completion = completion
  }

  /// The name of a value that must be there, so that shells offer it.
  package var neededValue: String? { isValueOptional ? nil : value }
}

extension OptionTable {
  package var entries: [OptionEntry] {
    rows.map { row in
      OptionEntry(
        names: row.names, value: row.value, isValueOptional: row.takes != nil, help: row.help,
        repeats: row.repeats, completion: row.completion)
    }
  }
}

extension [OptionEntry] {
  /// The lines of the help, in columns.
  package var help: String {
    let heads = map { option in
      // Long names are aligned after the short ones.
      let indent = option.names[0].hasPrefix("--") ? "    " : ""
      let value = option.value.map { option.isValueOptional ? " [\($0)]" : " \($0)" } ?? ""
      return indent + option.names.joined(separator: ", ") + value
    }
    let width = heads.map(\.count).max() ?? 0
    return zip(self, heads).map { option, head in
      let lines = option.help.split(separator: "\n").map(String.init)
      let margin = String(repeating: " ", count: width + 4)
      let gap = String(repeating: " ", count: width - head.count + 2)
      return "  \(head)\(gap)\(lines.joined(separator: "\n\(margin)"))"
    }.joined(separator: "\n")
  }
}
