import Glibc
import LocalSystem

/// The file that stores connections. Several servers may use it at the same time.
struct WiringFile: Sendable {
  let path: String

  private struct Content: Codable {
    var version: Int
    var keyboards: [WiringRecord]
  }

  private static let version = 1

  /// Reads the file.
  ///
  /// - Returns: The records; an empty array if there is no file.
  /// - Throws: If the file exists but is unusable. It has then been renamed, if possible.
  func read() throws(WiringFileError) -> [WiringRecord] {
    let content: Content
    do throws(JSON5File.Failure) {
      guard let found = try JSON5File.read(Content.self, at: path) else { return [] }
      content = found
    } catch {
      throw .unusable(path: path, reason: error.description, keptAs: setAside())
    }
    if content.version > Self.version { throw .tooNew(path: path, version: content.version) }
    return content.keyboards
  }

  /// Updates the file atomically, without losing concurrent changes of another server.
  ///
  /// - Parameter change: Modifies the records, and returns whether they have to be written.
  /// - Returns: The resulting records.
  func update(
    _ change: (inout [WiringRecord]) -> Bool
  ) throws(WiringFileError) -> [WiringRecord] {
    do throws(WholeFile.Failure) {
      if let slash = path.lastSlash {
        try Folder.create(String(path[..<slash]), mode: 0o700)
      }
    } catch {
      throw .notWritten(path: path, code: error.code)
    }
    let lock = try waitForLock()
    defer { withExtendedLifetime(lock) {} }
    var records = try read()
    guard change(&records) else { return records }
    do throws(WholeFile.Failure) {
      try JSON5File.write(
        Content(version: Self.version, keyboards: records), to: path, mode: 0o600)
    } catch {
      throw .notWritten(path: path, code: error.code)
    }
    return records
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
  /// - Throws: ``WiringFileError/inUse(path:)`` if another server still holds the lock, whose change would be lost.
  private func waitForLock() throws(WiringFileError) -> FileLock? {
    // With a limit, because events are not played meanwhile and a stopped server never releases its lock.
    for _ in 1...20 {
      do throws(WholeFile.Failure) {
        // A separate lock file, because the data file is replaced.
        if let lock = try FileLock.acquire("\(path).lock", mode: 0o600) { return lock }
      } catch {
        if error.code == ENOLCK || error.code == EOPNOTSUPP { return nil }
        throw .notWritten(path: path, code: error.code)
      }
      usleep(5000)
    }
    throw .inUse(path: path)
  }
}

/// The reason why connections are not stored. Codes are `errno` values.
enum WiringFileError: Error, Equatable, CustomStringConvertible {
  /// The file cannot be decoded. `keptAs` is its new path.
  case unusable(path: String, reason: String, keptAs: String?)
  case tooNew(path: String, version: Int)
  case notWritten(path: String, code: CInt)
  /// Another server has locked the file, and may have been stopped.
  case inUse(path: String)
  case noHome

  var description: String {
    switch self {
    case .unusable(let path, let reason, let aside?):
      "the file of stored connections '\(path)' is unusable: \(reason); it was renamed to '\(aside)', and new "
        + "connections are stored in a new file"
    case .unusable(let path, let reason, nil):
      "the file of stored connections '\(path)' is unusable: \(reason); remove it, or no connections are stored"
    case .tooNew(let path, let version):
      "the file of stored connections '\(path)' has version \(version) of a newer Portative: "
        + "use that Portative or remove the file, or no connections are stored"
    case .notWritten(let path, let code):
      "connections cannot be stored in '\(path)': \(errnoDescription(code)); until this is fixed, they are "
        + "kept only while the server runs"
    case .inUse(let path):
      "connections cannot be stored in '\(path)' now, because another server has locked it: they are stored together "
        + "with the next change"
    case .noHome:
      "connections are kept only while the server runs: set HOME or XDG_STATE_HOME to store them"
    }
  }
}
