import LocalSystem

/// `--version`: the version of the program and those of its libraries.
enum VersionCommand {
  private struct Report: Encodable {
    var version = portativeVersion
    let libraries: [LibraryVersion]
  }

  /// - Parameter arguments: The arguments after `--version`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    guard arguments.isEmpty || arguments == ["--json"] else {
      throw Failure.usage("--version takes only --json, but got '\(arguments[0])'")
    }
    let libraries = LibraryVersion.all
    if !arguments.isEmpty {
      return try Command.write(JSONOutput.version.line(Report(libraries: libraries)))
    }
    let lines: OutputText = libraries.map { "\($0.text)\n" }.joined()
    return try Command.write("portative \(portativeVersion)\n\(lines)")
  }
}
