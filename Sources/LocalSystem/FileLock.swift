package import Glibc

/// A lock on a file, held until this goes, or the process does: a crash leaves none behind.
///
/// It is one of `flock`'s, so that a node may be written in any language, a shell script included:
/// `flock -w 1 NODE.lock program`. To wait that second is no luxury: one who only looks whether the
/// lock is held shares it for some microseconds.
package final class FileLock: Sendable {
  private let descriptor: CInt

  private init(_ descriptor: CInt) { self.descriptor = descriptor }

  deinit { Self.release(descriptor) }

  /// Closing alone would leave the lock to a child that this process is starting at this moment,
  /// until the child's program has begun.
  private static func release(_ descriptor: CInt) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Takes the lock for one holder alone. The file is made if it is not there, and never removed:
  /// who had it open would hold the lock of a file that others no longer find.
  ///
  /// - Parameter mode: The new file's permissions.
  /// - Returns: `nil` when another has it; one who only looks, as ``isHeld(_:)`` does, is waited
  ///   for.
  package static func take(_ path: String, mode: mode_t) throws(WholeFile.Failure) -> FileLock? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
    if descriptor < 0 { throw WholeFile.Failure(code: errno) }
    let lock = FileLock(descriptor)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno != EWOULDBLOCK { throw WholeFile.Failure(code: errno) }
      // A share is refused only by a holder, not by those who look.
      if flock(descriptor, LOCK_SH | LOCK_NB) != 0 { return nil }
      flock(descriptor, LOCK_UN)
      usleep(.random(in: 50...500))
    }
    return lock
  }

  /// Whether someone holds the lock alone.
  ///
  /// - Parameter otherwise: Called when nobody does, and while nobody can: others who want to are
  ///   kept waiting until it returns. Not called if there is no such file.
  package static func isHeld(_ path: String, otherwise: () -> Void = {}) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    if descriptor < 0 { return false }
    defer { release(descriptor) }
    if flock(descriptor, LOCK_SH | LOCK_NB) != 0 { return errno == EWOULDBLOCK }
    otherwise()
    return false
  }
}
