import BatchRenderer
import Configuration
import LocalSystem

/// The arguments of `portative render`.
struct RenderArguments: Equatable {
  var run = RenderOptions()
  var display = DisplayOptions()

  /// Reads the arguments after `render`.
  init(_ arguments: [String]) throws(Failure) {
    run.inputs = try Self.table.parse(arguments, into: &self)
    if display.wantsHelp { return }
    run.measuresLoudness = display.isJSON
    try run.validate(isJSON: display.isJSON)
    try display.validate()
  }

  static let table = OptionTable<RenderArguments>(
    rows: OptionTable(RenderOptions.table, at: \.run).rows
      + OptionTable(DisplayOptions.table, at: \.display).rows)
}
