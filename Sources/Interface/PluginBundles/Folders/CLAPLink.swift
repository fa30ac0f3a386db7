import Glibc
package import LocalSystem

/// The link by which CLAP hosts find the shared object of the CLAP plugins, which lists those of all bundles:
/// `~/.clap/portative.clap`.
package struct CLAPLink: Sendable {
  package let path: String

  private static let name = "portative.clap"
  /// What SwiftPM builds.
  private static let built = "libportative-clap.so"
  /// The system's folder, in which every host looks.
  private static let system = "/usr/lib/clap/"

  /// - Returns: `nil` without a home folder.
  package init?(_ environment: ProcessEnvironment = .current) {
    guard let home = environment.variable("HOME") else { return nil }
    path = "\(home)/.clap/\(Self.name)"
  }

  /// Returns the shared object that is installed with this program; `nil` if there is none.
  package static func library(_ environment: ProcessEnvironment = .current) -> String? {
    PluginLibrary.candidates("lib/clap/\(name)", built: built, environment)
      .first(where: PluginLibrary.isFile)
  }

  /// Makes the link lead to a shared object, unless that is where every host finds it.
  ///
  /// - Returns: Whether the link was made or changed.
  /// - Throws: ``Failure`` with the kind `outputNotWritten` if that failed, or if there is another file.
  package func install(_ library: String) throws(Failure) -> Bool {
    if library.hasPrefix(Self.system) || target == library { return false }
    try checkOwnership()
    do throws(WholeFile.Failure) {
      try Folder.create(String(path.folderAndName.folder.dropLast()), mode: 0o777)
      unlink(path.platformString)
      if symlink(library.platformString, path.platformString) != 0 {
        throw WholeFile.Failure(code: errno)
      }
    } catch {
      throw Failure(
        .outputNotWritten, "cannot write '\(path)': \(errnoDescription(error.code))")
    }
    return true
  }

  /// Removes the link, if it is Portative's.
  ///
  /// - Returns: Whether it was there.
  package func remove() -> Bool {
    isPortatives && unlink(path.platformString) == 0
  }

  private var target: String? { BundleFolder.target(of: path) }

  private var isPortatives: Bool {
    target.map { [Self.name, Self.built].contains(String($0.folderAndName.name)) } ?? false
  }

  private func checkOwnership() throws(Failure) {
    var status = stat()
    if lstat(path.platformString, &status) != 0 || isPortatives { return }
    throw Failure(
      .outputNotWritten,
      "'\(path)' was not written by portative, and stays as it is: rename it, so that CLAP hosts find "
        + "the plugins")
  }
}
