/// A field of a description that will not do.
public struct DescriptionError: Error, Equatable, Sendable, CustomStringConvertible {
  public let field: String
  public let value: String
  /// What to write instead.
  public let remedy: String

  public var description: String { "the \(field) cannot be '\(value)': \(remedy)" }
}
