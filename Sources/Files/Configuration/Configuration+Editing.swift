import Glibc
package import LocalSystem

// Changes of configuration files. The rest of a file, with its comments, remains as it is.
extension Configuration {
  /// A change of a setting. Its name is its path, such as `midi.connect`.
  package enum Change: Equatable, Sendable {
    /// The value is JSON5, or else a text.
    case set(String, to: String)
    case unset(String)

    fileprivate var name: String {
      switch self {
      case .set(let name, _), .unset(let name): name
      }
    }
  }

  /// Changes settings in a configuration file, which is created if it does not exist.
  ///
  /// - Returns: The path of the file.
  /// - Throws: ``Failure`` if there is no such setting, or no file to be written; ``ConfigurationError`` if the file is
  ///   invalid, or would be. The file has not been changed then.
  package func apply(_ changes: [Change], _ environment: ProcessEnvironment) throws -> String {
    return try Self.edit(givenFile ?? Self.files(environment).first) { document, _ in
      var document = document
      for change in changes { document = try Self.applying(change, to: document) }
      return document
    }
  }

  private static func applying(
    _ change: Change, to document: JSON5Document
  ) throws -> JSON5Document {
    let steps = change.name.split(separator: ".", omittingEmptySubsequences: false)
      .map { JSON5Step.field(String($0)) }
    switch change {
    case .unset(let name):
      guard document.contains(steps) else {
        throw Failure(.usage, "'\(name)' is not set in the file: portative config shows what is")
      }
      return try document.removing(steps)
    case .set(_, let text):
      var changed = document
      for count in 1..<steps.count where !changed.contains(Array(steps[..<count])) {
        changed = try changed.setting("{}", at: Array(steps[..<count]))
      }
      let isJSON = (try? JSON5Document(Array(text.utf8))) != nil
      changed = try changed.setting(isJSON ? text : json(text), at: steps)
      let unknown = changed.unknownFields(in: Settings.shape)
      if let field = unknown.first(where: { steps.starts(with: $0.path) }) {
        throw Failure(
          .usage,
          "there is no setting '\(field.path.text)': "
            + (closest(to: field.name, among: field.known).map { "did you mean '\($0)'?" }
              ?? "there are \(field.known.joined(separator: ", "))"))
      }
      return changed
    }
  }

  /// Changes a configuration file while no other process of this program does. Without a file, an empty one is changed.
  ///
  /// - Parameters:
  ///   - path: `nil` if there is no folder for it.
  ///   - change: Receives the file and its path.
  /// - Returns: The path.
  static func edit(
    _ path: String?, _ change: (JSON5Document, String) throws -> JSON5Document
  ) throws -> String {
    guard let path else {
      throw Failure(
        .failed, "there is no folder for the configuration: set HOME or XDG_CONFIG_HOME")
    }
    // The target of a symbolic link, because writing would replace the link.
    let target = resolvedPath(path) ?? path
    do {
      let lock = try FolderLock(String(target.folderAndName.folder))
      defer { withExtendedLifetime(lock) {} }
      // The file may have been edited since it was loaded.
      let document = try JSON5File.document(at: target) ?? JSON5Document(Array("{\n}\n".utf8))
      let changed = try change(document, path)
      // What is written must be readable.
      _ = try changed.decode(Settings.self)
      try JSON5File.write(changed, to: target, mode: permissions(of: target))
      return path
    } catch let error as WholeFile.Failure {
      throw Failure(.outputNotWritten, "cannot write the configuration '\(path)': \(error)")
    } catch let error as JSON5File.Failure {
      throw ConfigurationError(file: path, error)
    }
  }

  /// The permissions of a file; those of new files if there is none.
  private static func permissions(of path: String) -> mode_t {
    var status = stat()
    return stat(path.platformString, &status) == 0 ? status.st_mode & 0o777 : 0o666
  }
}

/// A lock on the files of a folder, which leaves no file behind. Held until the object is freed.
private final class FolderLock {
  private let descriptor: CInt

  /// Waits for the lock. Creates the folder if it does not exist.
  init(_ folder: String) throws(WholeFile.Failure) {
    let path = folder.isEmpty ? "." : folder
    try Folder.create(path, mode: 0o700)
    descriptor = open(path.platformString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 || flock(descriptor, LOCK_EX) != 0 { throw WholeFile.Failure(code: errno) }
  }

  deinit { close(descriptor) }
}
