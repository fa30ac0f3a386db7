import LocalSystem

extension RenderReport {
  /// A file as it was written, by which it can be told later whether it still is so.
  package struct File: Codable, Equatable, Sendable {
    package var path: String
    package var bytes: Int
    /// Of all its bytes.
    package var hash: String

    /// - Returns: `nil` where it is no file, or cannot be read.
    package init?(_ path: String) {
      guard let identity = FileIdentity(path), identity.isRegular,
        let hash = try? InputFile.hash(path)
      else { return nil }
      self.path = path
      bytes = identity.length
      self.hash = hash
    }

    package var isUnchanged: Bool { FileIdentity(path)?.length == bytes && File(path) == self }
  }
}
