/// A version of three numbers, which are compared numerically: 1.10.0 is later than 1.9.0.
///
/// Source: Semantic Versioning 2.0.0, without pre-release and build identifiers.
public struct SemanticVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  // Each is 0 or more.
  public let major, minor, patch: Int

  /// Parses a version.
  ///
  /// - Throws: ``DescriptionError`` when `text` is not three numbers, such as `1.0.0`, without leading zeros or signs.
  public init(_ text: String) throws(DescriptionError) {
    let numbers = text.split(separator: ".").compactMap { Int($0) }
    // Formatting the numbers must give the same text. This excludes signs, leading zeros and other parts.
    guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }),
      numbers.map(String.init).joined(separator: ".") == text
    else {
      throw DescriptionError(
        field: "version", value: text, remedy: "write three numbers, such as 1.0.0")
    }
    (major, minor, patch) = (numbers[0], numbers[1], numbers[2])
  }

  public static func < (a: Self, b: Self) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }

  public var description: String { "\(major).\(minor).\(patch)" }
}

extension SemanticVersion: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    do {
      try self.init(text)
    } catch {
      throw decoder.invalidValue(error.description)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
