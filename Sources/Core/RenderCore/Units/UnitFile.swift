/// A file that a unit plays, as a saved state refers to it.
public struct FileReference: Codable, Equatable, Sendable {
  /// The absolute path, at which the file was when the state was saved.
  public var path: String
  /// The 128-bit XXH3 of the file's contents, in 32 hexadecimal digits; `nil` if unknown. It finds the file on another
  /// machine, and tells it from a different file of the same name.
  public var hash: String?

  public init(path: String, hash: String? = nil) {
    self.path = path
    self.hash = hash
  }
}

/// A file that a unit plays and that a host can replace, such as a SoundFont.
public struct UnitFile: Codable, Equatable, Sendable {
  /// Identifies the file within the unit, as in ``RenderUnit/restore(_:files:)``.
  public var identifier: String
  /// A name for the user, such as "SoundFont".
  public var name: String
  /// The file that the unit plays now; an empty path if it plays none.
  public var file: FileReference

  public init(_ identifier: String, _ name: String, _ file: FileReference) {
    self.identifier = identifier
    self.name = name
    self.file = file
  }
}

extension [UnitFile] {
  /// The files that are played by their identifiers, as ``RenderUnit/restore(_:files:)`` takes them.
  package var references: [String: FileReference] {
    Dictionary(filter { !$0.file.path.isEmpty }.map { ($0.identifier, $0.file) }) { $1 }
  }
}

/// The reason why a unit cannot play a file. The unit is unchanged.
public struct UnitFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A sentence with the path and the remedy.
  public let description: String

  public init(_ description: String) { self.description = description }
}
