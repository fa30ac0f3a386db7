import Configuration
import LocalSystem

/// The options of `portative merge`.
struct MergeOptions: Equatable {
  /// The paths of the reports, of parts of one list.
  var inputs: [String] = []
  /// The path of the joined report; `-` or `nil` is standard output.
  var output: String?
  var isQuiet = false
  var wantsHelp = false

  /// Reads the arguments after `merge`.
  init(arguments: [String]) throws(Failure) {
    inputs = try Self.table.parse(arguments, into: &self)
    if !wantsHelp, inputs.isEmpty {
      throw .usage("no report was given: portative merge -o ALL.json PART.json …")
    }
  }

  static let table = OptionTable<MergeOptions>(rows: [
    .path("-o", "--output", value: "FILE", help: "write the report to FILE (-)", \.output),
    .quiet(\.isQuiet),
    .help(\.wantsHelp),
  ])
}
