import LocalSystem
import Options

/// The options of `portative merge`.
struct MergeOptions: Equatable {
  /// The paths of the reports, of parts of one list.
  var inputs: [String] = []
  /// The path of the joined report; `-` is standard output.
  var output = "-"
  var isQuiet = false
  var wantsHelp = false

  /// Reads the arguments after `merge`.
  init(arguments: [String]) throws(Failure) {
    inputs = try Self.table.parse(arguments, into: &self)
    if !wantsHelp, inputs.isEmpty {
      throw .usage("no report was named: portative merge -o ALL.json PART.json …")
    }
  }

  static let table = OptionTable<MergeOptions>(rows: [
    .init(
      names: ["-o", "--output"], value: "FILE", help: "write the whole report to FILE (-)"
    ) { options, text throws(Failure) in
      if text.isEmpty { throw .usage("--output needs a file name, but it is empty") }
      options.output = text
    },
    .init(names: ["-q", "--quiet"], value: nil, help: "say nothing but errors") {
      options, _ throws(Failure) in options.isQuiet = true
    },
    .init(names: ["-h", "--help"], value: nil, help: "this text") {
      options, _ throws(Failure) in options.wantsHelp = true
    },
  ])
}
