import BatchRenderer
import Configuration
import LocalSystem

/// The arguments of `portative render`.
struct RenderArguments: Equatable {
  var run = RenderOptions()
  var display = DisplayOptions()
  /// Whether the operands are reports to join rather than songs.
  var merges = false

  private init() {}

  /// Reads the arguments after `render`.
  init(_ arguments: [String]) throws(Failure) {
    run.inputs = try Self.table.parse(arguments, into: &self)
    if display.wantsHelp { return }
    if merges {
      try validateMerge()
      return
    }
    run.measuresLoudness = display.isJSON
    try run.validate(isJSON: display.isJSON)
    try display.validate()
  }

  private func validateMerge() throws(Failure) {
    var plain = RenderArguments()
    plain.merges = true
    plain.run.inputs = run.inputs
    plain.run.output = run.output
    plain.display.isQuiet = display.isQuiet
    if self != plain {
      throw .usage("--merge takes only --output and --quiet: leave the other options out")
    }
    if run.inputs.isEmpty {
      throw .usage("no report was given: portative render --merge -o ALL.json PART.json …")
    }
  }

  static let table = OptionTable<RenderArguments>(
    rows: OptionTable(RenderOptions.table, at: \.run).rows + [
      .flag(
        "--merge",
        help: "join the reports that --shard and --report wrote for\nall parts of a list", \.merges)
    ] + OptionTable(DisplayOptions.table, at: \.display).rows)
}
