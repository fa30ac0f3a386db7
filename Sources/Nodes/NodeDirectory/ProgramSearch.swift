import Glibc

/// Finds a program as a shell does.
enum ProgramSearch {
  /// Where programs are when `PATH` is not set.
  static let usualPath = "/usr/local/bin:/usr/bin:/bin"

  /// - Parameters:
  ///   - program: An absolute path, or a name to be looked up.
  ///   - path: Folders with colons between; relative ones, and empty ones, which mean the current
  ///     folder, are left out.
  /// - Returns: The path of an executable file.
  /// - Throws: ``LaunchError/programNotFound(program:path:)``,
  ///   ``LaunchError/notExecutable(program:)`` when there is only a file that cannot be executed.
  static func find(_ program: String, path: String?) throws(LaunchError) -> String {
    let path = path ?? usualPath
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
