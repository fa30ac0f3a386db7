import Glibc

extension NodeDirectories {
  /// Bytes that a socket's path may have: the kernel's array, less the 0 at its end.
  public static let maximumSocketPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Where the node of this name listens.
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
  /// Locked by a host that is starting the node.
  func turnFile(of name: String) -> String { "\(runtime)/\(name).turn" }
  func publishedFile(of name: String) -> String { "\(runtime)/\(name).json" }
}
