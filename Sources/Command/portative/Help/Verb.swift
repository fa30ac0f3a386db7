import Options

/// A verb of the program.
struct Verb: Sendable {
  let name: String
  /// What follows the name in the list of verbs.
  let arguments: String
  /// What it does, in a few words.
  let summary: String
  /// What shells offer for its operands; the last one repeats.
  var operands: [OptionCompletion] = []
  /// Other verbs that its manual page names.
  var seeAlso: [String] = []
  let help: @Sendable () -> HelpText
  /// The kind of JSON in which an error is also written, under `--json`.
  var errorOutput: JSONOutput?
  /// Runs the verb with the arguments after its name.
  let run: @Sendable ([String]) throws -> ExitCode
}
