import LocalSystem

extension FileLock {
  /// Takes a lock file of a node, as ``acquire(_:mode:)`` does.
  ///
  /// - Throws: ``NodeError/cannotWrite(path:code:)``
  static func exclusive(_ path: String) throws(NodeError) -> FileLock? {
    do throws(WholeFile.Failure) {
      // With the sticky bit set, so that automatic cleanup leaves the file in the runtime folder (XDG Base Directory
      // Specification).
      return try acquire(path, mode: 0o1600)
    } catch {
      throw .cannotWrite(path: path, code: error.code)
    }
  }
}
