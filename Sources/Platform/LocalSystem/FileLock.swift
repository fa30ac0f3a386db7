package import Glibc

/// A lock on a file, held until this goes, or the process does: a crash leaves none behind.
///
/// It is one of `flock`'s, so that a node may be written in any language, a shell script included:
/// `flock -w 1 NODE.lock program`. To wait that second is no luxury: one who only looks whether the
/// lock is held shares it for some microseconds.
///
/// A file that nobody has locked may be removed by whoever has looked. So who has taken a lock looks whether the
/// file still has its name, and takes the new one if not: ``take(_:mode:)`` does. A program that does not could
/// only be deceived in the microseconds between opening and locking an old file.
package final class FileLock: Sendable {
  private let descriptor: CInt
  private let path: String

  private init(_ descriptor: CInt, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { Self.release(descriptor) }

  /// Closing alone would leave the lock to a child that this process is starting at this moment,
  /// until the child's program has begun.
  private static func release(_ descriptor: CInt) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Takes the lock for one holder alone. The file is made if it is not there.
  ///
  /// - Parameter mode: The new file's permissions.
  /// - Returns: `nil` when another has it; one who only looks, as ``isHeld(_:)`` does, is waited
  ///   for.
  package static func take(_ path: String, mode: mode_t) throws(WholeFile.Failure) -> FileLock? {
    while true {
      let descriptor = open(path.platformString, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
      if descriptor < 0 { throw WholeFile.Failure(code: errno) }
      let lock = FileLock(descriptor, path)
      guard try lock.acquire() else { return nil }
      if isNamed(descriptor, path) { return lock }
      // It was removed meanwhile: who holds it holds nothing that others could find.
    }
  }

  private func acquire() throws(WholeFile.Failure) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno != EWOULDBLOCK { throw WholeFile.Failure(code: errno) }
      // A share is refused only by a holder, not by those who look.
      if flock(descriptor, LOCK_SH | LOCK_NB) != 0 { return false }
      flock(descriptor, LOCK_UN)
      usleep(.random(in: 50...500))
    }
    return true
  }

  /// Removes the file while the lock is still held. Only for locks that all who take them take with
  /// ``take(_:mode:)``: another program may be waiting for this one.
  package func removeFile() { unlink(path.platformString) }

  /// Lets ``isHeld(_:otherwise:)`` find the file old, for nobody needs it any more once it is free.
  package func retire() {
    var times = [timespec(), timespec()]
    futimens(descriptor, &times)
  }

  /// Whether someone holds the lock alone.
  ///
  /// - Parameter otherwise: Called when nobody does, and while nobody can: others who want to are
  ///   kept waiting until it returns. What belongs to the lock can be removed then, and the file itself: it is not
  ///   called by two at once, nor if there is no such file or another has the name by now. Gets the seconds since the
  ///   file was made or written.
  package static func isHeld(_ path: String, otherwise: (_ age: Double) -> Void = { _ in }) -> Bool
  {
    let descriptor = open(path.platformString, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    if descriptor < 0 { return false }
    defer { release(descriptor) }
    if flock(descriptor, LOCK_SH | LOCK_NB) != 0 { return errno == EWOULDBLOCK }
    // Nobody can lock this file alone now. But another looker may be about to remove it, and then a third may make,
    // and lock, another of its name. Whoever has the folder's lock is the only one who removes.
    let folder = String(path.folderAndName.folder)
    let folderDescriptor = open(folder.platformString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folderDescriptor < 0 { return false }
    defer { release(folderDescriptor) }
    guard flock(folderDescriptor, LOCK_EX | LOCK_NB) == 0, isNamed(descriptor, path) else {
      return false
    }
    var (status, now) = (stat(), timespec())
    fstat(descriptor, &status)
    clock_gettime(CLOCK_REALTIME, &now)
    otherwise(Double(now.tv_sec - status.st_mtim.tv_sec))
    return false
  }

  /// Whether an open file is the one that has a name.
  private static func isNamed(_ descriptor: CInt, _ path: String) -> Bool {
    var (open, named) = (stat(), stat())
    return fstat(descriptor, &open) == 0 && lstat(path.platformString, &named) == 0
      && open.st_ino == named.st_ino && open.st_dev == named.st_dev
  }
}
