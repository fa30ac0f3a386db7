package import LocalSystem

/// An error in a configuration file.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  public let file: String
  /// The line, from 1; `nil` if the error concerns the whole file.
  public let line: Int?
  public let column: Int?
  public let reason: String
  /// Fields that no setting uses: one may be a misspelling of the field that is missing.
  public var unknownFields: [Configuration.UnknownField] = []

  init(file: String, line: Int? = nil, column: Int? = nil, reason: String) {
    self.file = file
    self.line = line
    self.column = column
    self.reason = reason
  }

  init(file: String, _ failure: JSON5File.Failure) {
    self.init(
      file: file, line: failure.location?.line, column: failure.location?.column,
      reason: failure.reason)
  }

  /// A message in the format of compilers, which editors recognize: `config.json:3:14: …`.
  public var description: String {
    guard let line, let column else {
      return "cannot use the configuration '\(file)': \(reason)"
    }
    return "\(file):\(line):\(column): \(reason)"
  }
}

extension Configuration {
  /// A field that no setting uses, probably misspelt.
  public struct UnknownField: Equatable, Sendable {
    public let file: String
    public let line: Int
    public let column: Int
    /// The path of the field, such as `ports[0].prest`.
    public let path: String
    public let name: String
    /// The fields that are defined at this location.
    public let known: [String]

    /// The location in the format of ``ConfigurationError/description``.
    public var location: String { "\(file):\(line):\(column)" }
  }
}

extension SoundFontError: FailureConvertible {
  package var failure: Failure {
    switch self {
    case .configuration(let error): error.failure
    case .noneFound, .unreadable, .notASoundFont, .cutShort:
      Failure(.soundFontUnusable, description)
    }
  }
}

extension ConfigurationError: FailureConvertible {
  package var failure: Failure { Failure(.inputUnusable, description) }
}
