import LocalSystem

extension RenderReport {
  /// A written file, with its length and hash, by which a later change is detected.
  struct File: Codable, Equatable, Sendable {
    var path: String
    var bytes: Int
    /// The hash of all its bytes.
    var hash: String

    /// - Returns: `nil` if the path is not a regular file or cannot be read.
    init?(_ path: String) {
      guard let identity = FileIdentity(path), identity.isRegular,
        let hash = try? InputFile.hash(path)
      else { return nil }
      self.path = path
      bytes = identity.length
      self.hash = hash
    }

    var isUnchanged: Bool { FileIdentity(path)?.length == bytes && File(path) == self }
  }
}
