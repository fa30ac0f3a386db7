import LocalSystem

/// What is wrong with a file of settings.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  public let file: String
  /// From 1; `nil` where the file is wrong as a whole.
  public let line: Int?
  public let column: Int?
  public let reason: String
  /// Fields that nothing reads: one may be the one that is missed.
  public var unknownFields: [Configuration.UnknownField] = []

  init(file: String, line: Int? = nil, column: Int? = nil, reason: String) {
    self.file = file
    self.line = line
    self.column = column
    self.reason = reason
  }

  init(file: String, _ failure: JSON5File.Failure) {
    self.init(
      file: file, line: failure.place?.line, column: failure.place?.column, reason: failure.reason)
  }

  /// In the form of compilers, which editors know: `config.json:3:14: …`.
  public var description: String {
    guard let line, let column else {
      return "cannot use the configuration '\(file)': \(reason)"
    }
    return "\(file):\(line):\(column): \(reason)"
  }
}

extension Configuration {
  /// A field that nothing reads: misspelt, most likely.
  public struct UnknownField: Equatable, Sendable {
    public let file: String
    public let line: Int
    public let column: Int
    /// As in `ports[0].prest`.
    public let path: String
    public let name: String
    /// The fields that are read in its place.
    public let known: [String]

    /// As ``ConfigurationError/description``.
    public var place: String { "\(file):\(line):\(column)" }
  }
}
