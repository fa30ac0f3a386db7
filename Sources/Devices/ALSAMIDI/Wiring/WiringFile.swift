import Glibc
import LocalSystem

/// The file in which wiring is remembered. Any number of servers may use it at once.
struct WiringFile: Sendable {
  let path: String

  private struct Content: Codable {
    var version: Int
    var keyboards: [WiringRecord]
  }

  private static let version = 1

  /// Reads it.
  ///
  /// - Throws: When it is there but of no use. It has been set aside then, if that was possible.
  func read() throws(WiringFileError) -> [WiringRecord] {
    let content: Content
    do throws(JSON5File.Failure) {
      guard let found = try JSON5File.read(Content.self, at: path) else { return [] }
      content = found
    } catch {
      throw .ofNoUse(path: path, reason: error.description, keptAs: setAside())
    }
    if content.version > Self.version { throw .tooNew(path: path, version: content.version) }
    return content.keyboards
  }

  /// Changes it, in one step, and without losing what another server writes at the same time.
  ///
  /// - Parameter change: Returns whether there is anything to write.
  /// - Returns: What is remembered now.
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

  /// - Returns: Where it is now; `nil` if it could not be moved.
  private func setAside() -> String? {
    for number in 1...99 {
      let name = "\(path).broken" + (number == 1 ? "" : "-\(number)")
      // Unlike rename(), it replaces nothing.
      if link(path, name) == 0 { return unlink(path) == 0 ? name : nil }
      if errno != EEXIST { return nil }
    }
    return nil
  }

  /// - Returns: `nil` where another server keeps the lock, or the file system knows no locks.
  private func waitForLock() throws(WiringFileError) -> FileLock? {
    // Not for ever, for what is played waits meanwhile; a server that has been stopped keeps its lock.
    for _ in 1...20 {
      do throws(WholeFile.Failure) {
        // A file of its own, as the other is replaced.
        if let lock = try FileLock.take("\(path).lock", mode: 0o600) { return lock }
      } catch {
        if error.code == ENOLCK || error.code == EOPNOTSUPP { return nil }
        throw .notWritten(path: path, code: error.code)
      }
      usleep(5000)
    }
    return nil
  }
}

/// Why wiring is not remembered. Codes are `errno`s.
enum WiringFileError: Error, Equatable, CustomStringConvertible {
  /// `keptAs` is where it is now.
  case ofNoUse(path: String, reason: String, keptAs: String?)
  case tooNew(path: String, version: Int)
  case notWritten(path: String, code: CInt)
  case noHome

  var description: String {
    switch self {
    case .ofNoUse(let path, let reason, let aside?):
      "the remembered wiring in '\(path)' is of no use: \(reason); it is kept as '\(aside)', and what you "
        + "wire from now on is remembered anew"
    case .ofNoUse(let path, let reason, nil):
      "the remembered wiring in '\(path)' is of no use: \(reason); remove it, or nothing is remembered"
    case .tooNew(let path, let version):
      "the remembered wiring in '\(path)' is of version \(version), which a newer Portative has written: "
        + "use that one, or remove the file, or nothing is remembered"
    case .notWritten(let path, let code):
      "what you wire cannot be remembered in '\(path)': \(errnoDescription(code)); until that is mended, it "
        + "holds only as long as the server runs"
    case .noHome:
      "what you wire holds only as long as the server runs: set HOME or XDG_STATE_HOME to have it remembered"
    }
  }
}
