/// A version of three numbers, compared as numbers: 1.10.0 is later than 1.9.0.
///
/// Source: Semantic Versioning 2.0.0, without its pre-releases and build marks.
public struct SemanticVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Each 0 or more.
  public let major, minor, patch: Int

  /// - Throws: When `text` is not three numbers, such as `1.0.0`, without leading zeros or signs.
  public init(_ text: String) throws(DescriptionError) {
    let numbers = text.split(separator: ".").compactMap { Int($0) }
    // Written out again, they must be the same: no signs, leading zeros, or parts left over.
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
      throw decoder.refusal(error.description)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
