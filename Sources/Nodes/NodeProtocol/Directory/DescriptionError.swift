import LocalSystem

/// A field of a description with an invalid value.
public struct DescriptionError: Error, Equatable, Sendable, CustomStringConvertible {
  public let field: String
  public let value: String
  /// The remedy, as an imperative clause.
  public let remedy: String

  public var description: String { "the \(field) cannot be '\(value.quotable)': \(remedy)" }
}
