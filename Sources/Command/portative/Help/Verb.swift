import Configuration

/// A verb of the program.
struct Verb: Sendable {
  let name: String
  /// The operands in the list of verbs.
  let arguments: String
  /// A description in a few words.
  let summary: String
  /// The words that shells offer for its operands; the last one repeats.
  var operands: [OptionCompletion] = []
  /// Other verbs that its manual page names.
  var seeAlso: [String] = []
  let help: @Sendable () -> HelpText
  /// The kind of JSON in which an error is also written, under `--json`; `nil` for ``JSONOutput/error``.
  var errorOutput: JSONOutput?
  /// Runs the verb with the arguments after its name.
  let run: @Sendable ([String]) throws -> ExitCode
}
