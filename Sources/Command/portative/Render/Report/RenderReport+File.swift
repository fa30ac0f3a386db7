extension RenderReport {
  /// A file as it was written, by which it can be told later whether it still is so.
  struct File: Codable, Equatable, Sendable {
    var path: String
    var bytes: Int
    /// Of all its bytes.
    var hash: String

    /// - Returns: `nil` where it is no file, or cannot be read.
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
