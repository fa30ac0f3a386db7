import Glibc
import LocalSystem
import Synchronization

/// A name that this process runs a node under, and what it publishes there.
///
/// For as long as this is kept, no other process has the name. In ``NodeDirectories/runtime`` are
/// - `NAME.lock`, which is locked for that time. Only the lock counts, not the file: a process that
///   crashes leaves nothing behind that says it still runs;
/// - `NAME.json`, with the process and its ports, as a ``PublishedNode``;
/// - `NAME.socket`, which the server makes and listens at.
///
/// Realtime: no. Threads: any.
public final class RunningNode: Sendable {
  public let name: String
  /// Seconds for which the lock of a node that does not run is left where it is.
  static let youth = 10.0
  /// Where the server listens; fits into a `sockaddr_un`.
  public let socketPath: String

  private let file: String
  private let directories: NodeDirectories
  private let lock: Mutex<FileLock?>

  /// Takes the name, removes what a crashed predecessor left of it, and publishes no ports yet.
  ///
  /// - Throws: ``NodeError``; ``NodeError/nodeIsRunning(name:pid:)`` when another has the name.
  public static func claim(
    _ name: String, in directories: NodeDirectories
  ) throws(NodeError) -> RunningNode {
    let socketPath = try directories.socketPath(of: name)
    do {
      try directories.prepareRuntime()
    } catch {
      throw .directory(error)
    }
    guard let lock = try FileLock.exclusive(directories.lockFile(of: name)) else {
      let holder = try? PublishedNode.read(name, in: directories)
      throw .nodeIsRunning(name: name, pid: holder?.pid)
    }
    unlink(socketPath)
    let node = RunningNode(
      name: name, socketPath: socketPath, in: directories, lock: lock)
    try node.publish([])
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

  /// Replaces what is published, all at once.
  ///
  /// Whether it agrees with the manifest is ``NodeManifest/check(published:)``'s to say.
  ///
  /// - Parameter ports: Each of another component.
  /// - Throws: ``NodeError``; then what was published before still is.
  public func publish(_ ports: [PortDescription]) throws(NodeError) {
    let components = ports.map(\.component)
    for (index, component) in components.enumerated() where components[..<index].contains(component)
    {
      throw .publishedTwice(component)
    }
    let published = PublishedNode(name: name, pid: getpid(), ports: ports)
    // Written under the mutex, so that no file is left behind by another thread's close.
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

  /// Gives up the name, and removes the socket, the list of ports and the lock. May be called again.
  public func close() {
    let wasOpen = lock.withLock { lock in
      if lock == nil { return false }
      unlink(file)
      unlink(socketPath)
      lock?.retire()
      lock = nil
      return true
    }
    guard wasOpen else { return }
    // A program that waits for the lock gets it first, and then it stays.
    usleep(1000)
    _ = try? PublishedNode.find(name, in: directories)
  }
}
