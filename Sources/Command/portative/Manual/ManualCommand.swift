import LocalSystem

/// Writes manual pages. It is not in the list of verbs, because only the installation uses it.
enum ManualCommand {
  static let name = "manual"

  /// - Parameter arguments: The file of a page, such as `portative-render.1`; none to list all.
  static func run(_ arguments: [String], verbs: [Verb]) throws -> ExitCode {
    let pages = [.program(verbs), .configuration] + verbs.map(ManualPage.verb)
    guard let file = arguments.first, arguments.count == 1 else {
      if arguments.isEmpty { return try Command.write(pages.map { "\($0.file)\n" }.joined()) }
      throw Failure.usage("manual takes one page, but got \(arguments.count)")
    }
    guard let page = pages.first(where: { $0.file == file }) else {
      throw Failure.usage("there is no manual page '\(file)': 'portative manual' lists all")
    }
    return try Command.write(OutputText(verbatim: page.text))
  }
}
