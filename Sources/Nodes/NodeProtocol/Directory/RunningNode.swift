import Glibc
import LocalSystem
import Synchronization

/// A node of this process: its claimed name and its published ports.
///
/// No other process can claim the name during the lifetime of this object. ``NodeDirectories/runtime`` has these files:
/// - `NAME.lock`, which is locked during that time. Only the lock counts, not the file, so a crashed process never
///   appears to run;
/// - `NAME.json`, a ``PublishedNode`` with the process ID and the ports;
/// - `NAME.socket`, which the server creates and listens at.
///
/// Realtime: no. Threads: any.
public final class RunningNode: Sendable {
  public let name: String
  /// The age in seconds after which the lock file of a node that does not run is removed.
  static let staleLockAge = 10.0
  /// The path of the socket at which the server listens. Fits into a `sockaddr_un`.
  public let socketPath: String

  private let file: String
  private let directories: NodeDirectories
  private let lock: Mutex<FileLock?>

  /// Claims a name, removes the files of a crashed predecessor, and publishes an empty list of ports.
  ///
  /// - Throws: ``NodeError``; ``NodeError/nodeIsRunning(name:processID:)`` when another process has the name.
  public static func claim(
    _ name: String, in directories: NodeDirectories
  ) throws(NodeError) -> RunningNode {
    let socketPath = try directories.socketPath(of: name)
    try mapError(directories.prepareRuntime(), NodeError.directory)
    guard let lock = try FileLock.exclusive(directories.lockFile(of: name)) else {
      let holder = try? PublishedNode.read(name, in: directories)
      throw .nodeIsRunning(name: name, processID: holder?.processID)
    }
    unlink(socketPath)
    let node = RunningNode(
      name: name, socketPath: socketPath, in: directories, lock: lock)
    try node.publish([])
    LogLimit.apply(toLogOf: name, in: directories)
    return node
  }

  private init(
    name: String, socketPath: String, in directories: NodeDirectories, lock: FileLock
  ) {
    self.name = name
    self.socketPath = socketPath
    self.directories = directories
    file = directories.publishedFile(of: name)
    self.lock = Mutex(lock)
  }

  deinit { close() }

  /// Replaces the published ports atomically.
  ///
  /// Does not compare the ports with the manifest; ``NodeManifest/check(published:)`` does.
  ///
  /// - Parameter ports: The ports, each with another component.
  /// - Throws: ``NodeError``; the ports published before then remain published.
  public func publish(_ ports: [PortDescription]) throws(NodeError) {
    let components = ports.map(\.component)
    for (index, component) in components.enumerated() where components[..<index].contains(component)
    {
      throw .publishedTwice(component)
    }
    let published = PublishedNode(
      name: name, processID: getpid(), ports: ports,
      wasLaunched: NodeLauncher.hasLaunchedThisProcess)
    // Written under the mutex, so that a concurrent `close()` leaves no file behind.
    let failure = lock.withLock { lock in lock == nil ? .closed(name: name) : write(published) }
    if let failure { throw failure }
  }

  private func write(_ published: PublishedNode) -> NodeError? {
    do {
      try JSON5File.write(published, to: file, mode: 0o1600)
      return nil
    } catch {
      return .cannotWrite(path: file, code: error.code)
    }
  }

  /// Releases the name, and removes the socket, the list of ports and the lock. May be called repeatedly.
  public func close() {
    let wasOpen = lock.withLock { lock in
      if lock == nil { return false }
      unlink(file)
      unlink(socketPath)
      lock?.expire()
      lock = nil
      return true
    }
    guard wasOpen else { return }
    // Gives a process that waits for the lock time to take it; its files are then kept.
    usleep(1000)
    _ = try? PublishedNode.find(name, in: directories)
  }
}
