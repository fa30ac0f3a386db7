/// Four printable ASCII characters that name a kind of component, or who makes it: `gmsy`, `Ptvo`.
///
/// The first character is the highest byte of ``rawValue``, as in Apple's `OSType`. Upper and lower
/// case differ.
public struct FourCharacterCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: UInt32

  /// - Returns: `nil` unless each byte is one of ASCII's 95 printable characters, space included.
  public init?(rawValue: UInt32) {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
    guard bytes.allSatisfy(Self.isPrintable) else { return nil }
    self.rawValue = rawValue
  }

  /// - Throws: When `text` is not four printable ASCII characters.
  public init(_ text: String) throws(FourCharacterCodeError) {
    guard text.utf8.count == 4, text.utf8.allSatisfy(Self.isPrintable) else {
      throw FourCharacterCodeError(text: text)
    }
    rawValue = text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  public var description: String {
    String(
      decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }, as: UTF8.self)
  }

  fileprivate static func isPrintable(_ byte: UInt8) -> Bool { 0x20...0x7E ~= byte }
}

/// A text that was to be four printable ASCII characters, and is not.
public struct FourCharacterCodeError: Error, Equatable, Sendable, CustomStringConvertible {
  public let text: String

  public var description: String {
    let isPrintable = text.utf8.allSatisfy(FourCharacterCode.isPrintable)
    let found = isPrintable ? "and has \(text.count)" : "and has others"
    return "'\(text)' is no four-character code: it needs 4 printable ASCII characters, \(found)"
  }
}

extension FourCharacterCode: Codable {
  /// Decodes the text, not the number.
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
