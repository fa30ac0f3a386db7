import Configuration
import LocalSystem

/// The options for what `render` and `play` show.
struct DisplayOptions: Equatable {
  var isVerbose = false
  var isQuiet = false
  var isJSON = false
  var wantsHelp = false

  /// Whether messages for users are written.
  var showsMessages: Bool { !isQuiet && !isJSON }

  func validate() throws(Failure) {
    if isVerbose, isQuiet {
      throw .usage("--verbose and --quiet contradict each other: leave one out")
    }
  }

  static let table = OptionTable<DisplayOptions>(rows: [
    .quiet(\.isQuiet),
    .flag(
      "-v", "--verbose",
      help: "show a line for each of many songs, and for messages\nof a song that have no effect",
      \.isVerbose),
    .flag("--json", help: "write results and errors as lines of JSON", \.isJSON),
    .help(\.wantsHelp),
  ])
}

extension OptionTable.Row {
  static func quiet(_ property: any WritableKeyPath<Options, Bool> & Sendable) -> Self {
    .flag("-q", "--quiet", help: "write only errors", property)
  }

  static func help(_ property: any WritableKeyPath<Options, Bool> & Sendable) -> Self {
    .flag("-h", "--help", help: "show this help", property)
  }
}
