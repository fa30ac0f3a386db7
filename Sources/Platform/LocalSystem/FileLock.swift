package import Glibc

/// An exclusive lock on a file, held until the object is freed or the process ends. A crash leaves no lock behind.
///
/// It is a lock of `flock(2)`, so that a node can be written in any language, including a shell script:
/// `flock -w 1 NODE.lock program`. The timeout of one second is needed, because a process that only tests the lock
/// holds a shared lock for some microseconds.
///
/// A process that finds the file unlocked may remove it. After locking, a process must therefore check that the file
/// still has its name, and otherwise lock the new file; ``acquire(_:mode:)`` does. Without this check a program can
/// lock a removed file, but only if the file is removed in the microseconds between opening and locking it.
package final class FileLock: Sendable {
  private let descriptor: CInt
  private let path: String

  private init(_ descriptor: CInt, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { Self.release(descriptor) }

  /// Unlocks explicitly: a child process that is just being started inherits the descriptor, and would hold the lock
  /// until it executes its program.
  private static func release(_ descriptor: CInt) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Locks a file exclusively, and creates the file if it does not exist.
  ///
  /// It waits for processes that only test the lock, as ``isHeld(_:otherwise:)`` does, for 1 s at most.
  ///
  /// - Parameter mode: The permissions of a new file.
  /// - Returns: `nil` if another process holds the lock.
  /// - Throws: ``WholeFile/Failure``, also if the path names something else than a regular file; see ``RegularFile``.
  package static func acquire(
    _ path: String, mode: mode_t
  ) throws(WholeFile.Failure) -> FileLock? {
    while true {
      let lock = FileLock(try RegularFile.open(path, O_RDWR | O_CREAT, mode: mode), path)
      guard try lock.lockExclusively() else { return nil }
      if isNamed(lock.descriptor, path) { return lock }
      // The file was removed before it was locked: no other process can find it. Try again.
    }
  }

  /// - Returns: `false` if another process holds an exclusive lock, or has held a shared lock for 1 s.
  private func lockExclusively() throws(WholeFile.Failure) -> Bool {
    let end = ContinuousClock.now + .seconds(1)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno != EWOULDBLOCK { throw WholeFile.Failure(code: errno) }
      // Only an exclusive lock refuses a shared lock; a process that tests the lock does not.
      if flock(descriptor, LOCK_SH | LOCK_NB) != 0 || ContinuousClock.now > end { return false }
      flock(descriptor, LOCK_UN)
      usleep(.random(in: 50...500))
    }
    return true
  }

  /// Removes the file while the lock is still held. Use it only if every process locks the file with
  /// ``acquire(_:mode:)``, because another process may be waiting for this lock.
  package func removeFile() { unlink(path.platformString) }

  /// Sets the file's modification time to 1970, so that ``isHeld(_:otherwise:)`` reports a great age once the lock is
  /// released: the file is not needed any more.
  package func expire() {
    var times = [timespec(), timespec()]
    futimens(descriptor, &times)
  }

  /// Returns whether a process holds the lock exclusively.
  ///
  /// A path that does not name a regular file is not a lock, and no process holds it.
  ///
  /// - Parameter otherwise: Called if no process holds the lock. No process can lock the file until it returns, so it
  ///   may remove the file and everything that belongs to the lock. It is never called by two processes at once, and
  ///   not if the file does not exist or another file has its name by now. Receives the age of the file: the seconds
  ///   since its last modification.
  package static func isHeld(_ path: String, otherwise: (_ age: Double) -> Void = { _ in }) -> Bool
  {
    guard let descriptor = try? RegularFile.open(path, O_RDONLY) else { return false }
    defer { release(descriptor) }
    if flock(descriptor, LOCK_SH | LOCK_NB) != 0 { return errno == EWOULDBLOCK }
    // No process can lock this file exclusively now. But another process that tests the lock may be about to remove the
    // file, and a third may then create and lock a new file of this name. Only the holder of the folder's lock removes.
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

  /// Returns whether `path` names the open file.
  private static func isNamed(_ descriptor: CInt, _ path: String) -> Bool {
    var (open, named) = (stat(), stat())
    return fstat(descriptor, &open) == 0 && lstat(path.platformString, &named) == 0
      && open.st_ino == named.st_ino && open.st_dev == named.st_dev
  }
}
