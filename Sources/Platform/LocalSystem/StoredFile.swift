import Glibc

/// The content of a ``StoredFile``.
package protocol StoredContent: Codable, Sendable {
  /// The version that this program writes. It reads no later ones.
  static var currentVersion: Int { get }
  var version: Int { get set }

  /// Creates what a file has that does not exist yet, in the current version.
  init()
}

/// A file of settings that several servers may change at the same time.
///
/// An unusable file is renamed and never changed. A file of a later version is left as it is.
package struct StoredFile<Content: StoredContent>: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  private struct Version: Decodable {
    var version: Int
  }

  /// Reads the file.
  ///
  /// - Returns: `Content()` if there is no file.
  /// - Throws: If the file exists but is unusable. It has then been renamed, if possible.
  package func read() throws(StoredFileError) -> Content {
    let (version, content): (Int, Content?)
    do throws(JSON5File.Failure) {
      guard let document = try JSON5File.document(at: path) else { return Content() }
      version = try document.decode(Version.self).version
      // A later version may have another shape.
      content = version > Content.currentVersion ? nil : try document.decode(Content.self)
    } catch {
      throw .unusable(path: path, reason: error.description, keptAs: setAside())
    }
    guard let content else { throw .tooNew(path: path, version: version) }
    return content
  }

  /// Updates the file atomically, without losing concurrent changes of another server.
  ///
  /// - Parameter change: Modifies the content, and returns whether it has to be written.
  /// - Returns: The resulting content.
  @discardableResult
  package func update(_ change: (inout Content) -> Bool) throws(StoredFileError) -> Content {
    do throws(WholeFile.Failure) {
      if let slash = path.lastSlash {
        try Folder.create(String(path[..<slash]), mode: 0o700)
      }
    } catch {
      throw .notWritten(path: path, error)
    }
    let lock = try waitForLock()
    defer { withExtendedLifetime(lock) {} }
    var content = try read()
    guard change(&content) else { return content }
    content.version = Content.currentVersion
    do throws(WholeFile.Failure) {
      try JSON5File.write(content, to: path, mode: 0o600)
    } catch {
      throw .notWritten(path: path, error)
    }
    return content
  }

  /// Renames an unusable file.
  ///
  /// - Returns: The new path; `nil` if renaming failed.
  private func setAside() -> String? {
    for number in 1...99 {
      let name = "\(path).broken" + (number == 1 ? "" : "-\(number)")
      // Unlike rename(), link() does not replace an existing file.
      if link(path, name) == 0 { return unlink(path) == 0 ? name : nil }
      if errno != EEXIST { return nil }
    }
    return nil
  }

  /// Waits up to 100 ms for the lock.
  ///
  /// - Returns: `nil` if the file system does not support locks.
  /// - Throws: ``StoredFileError/inUse(path:)`` if another server still holds the lock, whose change would be lost.
  private func waitForLock() throws(StoredFileError) -> FileLock? {
    // With a limit, because events are not played meanwhile and a stopped server never releases its lock.
    for _ in 1...20 {
      do throws(WholeFile.Failure) {
        // A separate lock file, because the data file is replaced.
        if let lock = try FileLock.acquire("\(path).lock", mode: 0o600) { return lock }
      } catch {
        if error.code == ENOLCK || error.code == EOPNOTSUPP { return nil }
        throw .notWritten(path: path, error)
      }
      usleep(5000)
    }
    throw .inUse(path: path)
  }
}

/// The reason why settings are not stored.
package enum StoredFileError: Error, Equatable {
  /// The file cannot be decoded. `keptAs` is its new path.
  case unusable(path: String, reason: String, keptAs: String?)
  case tooNew(path: String, version: Int)
  case notWritten(path: String, WholeFile.Failure)
  /// Another server has locked the file, and may have been stopped.
  case inUse(path: String)
  case noHome

  /// Returns a message for the user.
  ///
  /// - Parameter things: What the file stores, in the plural.
  package func message(about things: String) -> String {
    switch self {
    case .unusable(let path, let reason, let aside?):
      "the file of stored \(things) '\(path)' is unusable: \(reason); it was renamed to '\(aside)', and new "
        + "\(things) are stored in a new file"
    case .unusable(let path, let reason, nil):
      "the file of stored \(things) '\(path)' is unusable: \(reason); remove it, or no \(things) are stored"
    case .tooNew(let path, let version):
      "the file of stored \(things) '\(path)' has version \(version) of a newer Portative: "
        + "use that Portative or remove the file, or no \(things) are stored"
    case .notWritten(let path, let failure):
      "\(things) cannot be stored in '\(path)': \(failure); until this is fixed, they are "
        + "kept only while the server runs"
    case .inUse(let path):
      "\(things) cannot be stored in '\(path)' now, because another server has locked it: they are stored together "
        + "with the next change"
    case .noHome:
      "\(things) are kept only while the server runs: set HOME or XDG_STATE_HOME to store them"
    }
  }
}
