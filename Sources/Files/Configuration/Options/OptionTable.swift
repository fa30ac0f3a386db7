package import LocalSystem

/// The options of one command, for parsing, `--help` and suggestions for misspelt options.
package struct OptionTable<Options>: Sendable {
  /// One option, and the function that applies its value.
  package struct Row: Sendable {
    /// The names, such as `--gain`, or `-o` and `--output`. Messages use the last one.
    package let names: [String]
    /// The name of the value in the help; `nil` for a switch, which takes no value.
    package let value: String?
    /// Whether the next argument is the value of an option whose value may be missing; `nil`: the value must be there.
    package let takes: (@Sendable (String) -> Bool)?
    let help: String
    /// Whether the option may be given more than once.
    package let repeats: Bool
    /// The words that shells offer for the value.
    private(set) var completion: OptionCompletion
    package let apply: @Sendable (inout Options, String) throws -> Void
    /// Removes the values of an option that may be given more than once; `nil`: a later value replaces an earlier one.
    package private(set) var clear: (@Sendable (inout Options) -> Void)?

    package init(
      names: [String], value: String?, help: String, repeats: Bool = false,
      apply: @escaping @Sendable (inout Options, String) throws -> Void
    ) {
      self.names = names
      self.value = value
      takes = nil
      self.help = help
      self.repeats = repeats
      self.apply = apply
      completion = OptionCompletion(value: value)
    }

    /// An option whose value may be missing, which is then an empty text.
    ///
    /// - Parameter takes: Returns whether the next argument is its value.
    package init(
      names: [String], optional value: String, taking takes: @escaping @Sendable (String) -> Bool,
      help: String, apply: @escaping @Sendable (inout Options, String) throws -> Void
    ) {
      self.names = names
      self.value = value
      self.takes = takes
      self.help = help
      self.repeats = false
      self.apply = apply
      completion = OptionCompletion(value: value)
    }

    /// Returns the row with other values to offer than those that its name implies.
    package func completing(_ completion: OptionCompletion) -> Self {
      var row = self
      row.completion = completion
      return row
    }

    /// Returns the row with a function that removes the values.
    package func clearing(_ clear: (@Sendable (inout Options) -> Void)?) -> Self {
      var row = self
      row.clear = clear
      return row
    }

    /// A switch that sets a property.
    package static func flag(
      _ names: String..., help: String,
      _ property: any WritableKeyPath<Options, Bool> & Sendable
    ) -> Self {
      Row(names: names, value: nil, help: help) { options, _ in options[keyPath: property] = true }
    }

    /// An option whose value is a path, which must not be empty.
    package static func path(
      _ names: String..., value: String, help: String,
      _ property: any WritableKeyPath<Options, String?> & Sendable
    ) -> Self {
      Row(names: names, value: value, help: help) { [name = names[names.count - 1]] options, text in
        if text.isEmpty { throw Failure.usage("\(name) needs a path, but it is empty") }
        options[keyPath: property] = text
      }
    }

    package var name: String { names[names.count - 1] }
  }

  package let rows: [Row]

  package init(rows: [Row]) { self.rows = rows }

  /// Creates a table from the options of a part of `Options`.
  package init<Part>(
    _ table: OptionTable<Part>, at part: any WritableKeyPath<Options, Part> & Sendable
  ) {
    rows = table.rows.map { row in
      let apply: @Sendable (inout Options, String) throws -> Void = { options, text in
        try row.apply(&options[keyPath: part], text)
      }
      let new =
        row.takes.map {
          Row(
            names: row.names, optional: row.value ?? "", taking: $0, help: row.help, apply: apply)
        }
        ?? Row(
          names: row.names, value: row.value, help: row.help, repeats: row.repeats, apply: apply)
      let clear = row.clear.map { clear -> @Sendable (inout Options) -> Void in
        { clear(&$0[keyPath: part]) }
      }
      return new.completing(row.completion).clearing(clear)
    }
  }

  /// Parses arguments and applies the options.
  ///
  /// Options may be anywhere: `--name VALUE` or `--name=VALUE`, `-n VALUE` or `-nVALUE`, and `-qn VALUE` or `-qnVALUE`
  /// for `-q -n VALUE` if `-q` takes no value. A value that may be missing is the next argument if it can be. All arguments after `--` are operands, and so are `-` and negative
  /// numbers.
  ///
  /// - Returns: The operands in their order.
  /// - Throws: ``Failure`` for an unknown option, a missing value, a value for a switch, or an option that is given
  ///   twice.
  package func parse(_ arguments: [String], into options: inout Options) throws(Failure) -> [String]
  {
    var operands: [String] = []
    var given: Set<String> = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      guard argument.hasPrefix("-"), argument != "-", OptionValue.plainNumber(argument) == nil
      else {
        operands.append(argument)
        continue
      }
      var part: String? = argument
      while let current = part {
        let (name, attached) = Self.split(current)
        if current == argument { try checkHyphens(argument) }
        guard let row = rows.first(where: { $0.names.contains(name) }) else {
          throw unknown(name)
        }
        guard given.insert(row.name).inserted || row.repeats else {
          throw .usage("\(row.name) is given twice: leave one out")
        }
        // The letters after a switch are options too.
        let isBundled = attached != nil && row.value == nil && !current.hasPrefix("--")
        part = isBundled ? attached.map { "-\($0)" } : nil
        let value = try Self.value(of: row, attached: isBundled ? nil : attached, rest: &rest)
        do { try row.apply(&options, value) } catch { throw Failure(error) }
      }
    }
    return operands
  }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    if !argument.hasPrefix("--") {
      let value = argument.dropFirst(2)
      return (String(argument.prefix(2)), value.isEmpty ? nil : String(value))
    }
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
  }

  private static func value(
    of row: Row, attached: String?, rest: inout ArraySlice<String>
  ) throws(Failure) -> String {
    guard let value = row.value else {
      if let attached { throw .usage("\(row.name) takes no value, but got '\(attached)'") }
      return ""
    }
    if let attached { return attached }
    if let takes = row.takes, rest.first.map(takes) != true { return "" }
    guard let next = rest.first, !next.hasPrefix("--") else {
      throw .usage("\(row.name) needs a value: \(row.name) \(value)")
    }
    rest.removeFirst()
    return next
  }

  /// Refuses the long name of an option after one hyphen, such as `-json`, which would be a short option with a value.
  private func checkHyphens(_ argument: String) throws(Failure) {
    guard argument.count > 2, !argument.hasPrefix("--") else { return }
    let (name, _) = Self.split("-\(argument)")
    if rows.contains(where: { $0.names.contains(name) }) {
      throw .usage(
        "'\(argument)' has one hyphen: use -\(argument), or \(argument.prefix(2)) '\(argument.dropFirst(2))'"
      )
    }
  }

  private func unknown(_ name: String) -> Failure {
    let known = rows.flatMap(\.names).filter { $0.hasPrefix("--") }
    let hint = closest(to: name, among: known).map { ": did you mean \($0)?" } ?? "; see --help"
    return Failure(.usage, "unknown option \(name)\(hint)", unknownOption: name)
  }

  /// The lines of the help, in columns.
  package var help: String { entries.help }
}
