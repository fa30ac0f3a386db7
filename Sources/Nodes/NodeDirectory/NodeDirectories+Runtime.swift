import Glibc

extension NodeDirectories {
  /// The maximum length of a socket path in bytes: the size of `sun_path`, without the terminating NUL.
  public static let maximumSocketPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Returns the path of the socket at which a node listens.
  ///
  /// - Throws: ``NodeError/badName(_:remedy:)``, ``NodeError/socketPathTooLong(path:limit:)``
  public func socketPath(of name: String) throws(NodeError) -> String {
    try NodeName.check(name)
    let path = "\(runtime)/\(name).socket"
    if path.utf8.count > Self.maximumSocketPathLength {
      throw .socketPathTooLong(path: path, limit: Self.maximumSocketPathLength)
    }
    return path
  }

  func lockFile(of name: String) -> String { "\(runtime)/\(name).lock" }
  /// Returns the path of the file that is locked by a host while it launches the node.
  func launchLockFile(of name: String) -> String { "\(runtime)/\(name).turn" }
  func publishedFile(of name: String) -> String { "\(runtime)/\(name).json" }
}
