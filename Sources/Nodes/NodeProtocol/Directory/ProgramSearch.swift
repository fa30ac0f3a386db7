import Glibc

/// Searches `PATH` for programs, as a shell does.
package enum ProgramSearch {
  /// The search path if `PATH` is not set.
  static let defaultPath = "/usr/local/bin:/usr/bin:/bin"

  /// Returns the path of a program.
  ///
  /// - Parameters:
  ///   - program: An absolute path, or a name to look up.
  ///   - path: Folders separated by colons. Relative folders are ignored, and so are empty ones, which mean the current
  ///     folder. `nil` for ``defaultPath``.
  /// - Returns: The path of an executable file.
  /// - Throws: ``LaunchError/programNotFound(program:path:)``,
  ///   ``LaunchError/notExecutable(program:)`` when only files that are not executable were found.
  package static func find(_ program: String, path: String?) throws(LaunchError) -> String {
    let path = path ?? defaultPath
    let candidates =
      program.contains("/")
      ? [program]
      : path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
    let files = candidates.filter(isFile)
    if let found = files.first(where: { access($0, X_OK) == 0 }) { return found }
    if let file = files.first { throw .notExecutable(program: file) }
    throw .programNotFound(program: program, path: program.contains("/") ? nil : path)
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
