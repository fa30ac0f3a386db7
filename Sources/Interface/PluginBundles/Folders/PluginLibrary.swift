import Glibc
package import LocalSystem

/// The shared object of the plugins.
package enum PluginLibrary {
  /// Returns the absolute path of the shared object.
  ///
  /// - Parameters:
  ///   - path: The path that the user has given; `nil` for the one that is installed with this program.
  ///   - environment: Its ``ProcessEnvironment/executable`` is this program.
  /// - Throws: ``Failure`` with the paths that were tried.
  package static func find(
    _ path: String?, in environment: ProcessEnvironment = .current
  ) throws(Failure) -> String {
    // Not resolved, because a package manager may replace the target of a link.
    let paths =
      path.map { [absolutePath($0)] }
      ?? candidates("lib/portative/portative.so", built: "libportative-lv2.so", environment)
    if let path = paths.first(where: isFile) { return path }
    let tried = paths.map { "'\($0)'" }.joined(separator: " and ")
    throw Failure(
      .failed,
      path == nil
        ? "the plugins' shared object is missing, looked for \(tried): run make install, or give its "
          + "path with --library"
        : "there is no file \(tried): give --library the path of portative.so")
  }

  /// Returns the paths of a shared object after `make install`, and in the folder of a build.
  static func candidates(
    _ installed: String, built: String, _ environment: ProcessEnvironment
  ) -> [String] {
    guard let program = environment.executable, let prefix = environment.prefix else { return [] }
    return ["\(prefix)/\(installed)", "\(program.folderAndName.folder)\(built)"]
  }

  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path.platformString, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
