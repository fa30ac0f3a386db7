/// Four printable ASCII characters that identify a subtype or a manufacturer: `gmsy`, `Ptvo`.
///
/// The first character is the most significant byte of ``rawValue``, as in Apple's `OSType`. Case-sensitive.
public struct FourCharacterCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: UInt32

  /// - Returns: `nil` unless each byte is one of the 95 printable ASCII characters (0x20…0x7E, including space).
  public init?(rawValue: UInt32) {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
    guard bytes.allSatisfy(Self.isPrintable) else { return nil }
    self.rawValue = rawValue
  }

  /// - Throws: ``FourCharacterCodeError`` when `text` is not four printable ASCII characters.
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

/// A text that is not four printable ASCII characters.
public struct FourCharacterCodeError: Error, Equatable, Sendable, CustomStringConvertible {
  public let text: String

  public var description: String {
    let isPrintable = text.utf8.allSatisfy(FourCharacterCode.isPrintable)
    let found = isPrintable ? "but has \(text.count)" : "but contains others"
    return "'\(text)' is not a four-character code: it needs 4 printable ASCII characters, \(found)"
  }
}

extension FourCharacterCode: Codable {
  /// Decodes the code from a string of four characters.
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
