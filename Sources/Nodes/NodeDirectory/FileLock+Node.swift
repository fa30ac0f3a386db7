import LocalSystem

extension FileLock {
  /// Takes a lock of a node's, as ``take(_:mode:)`` does.
  ///
  /// - Throws: ``NodeError/cannotWrite(path:code:)``
  static func exclusive(_ path: String) throws(NodeError) -> FileLock? {
    do throws(WholeFile.Failure) {
      // Sticky, which tells those who tidy up the runtime folder to leave it (XDG Base Directory).
      return try take(path, mode: 0o1600)
    } catch {
      throw .cannotWrite(path: path, code: error.code)
    }
  }
}
