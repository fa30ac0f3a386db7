import LocalSystem

/// A name that the user gives to keyboards, by which zones, ports and controls know them.
public struct KeyboardNameSettings: Decodable, Equatable, Sendable {
  public var name: String
  /// The name of the product, with `*`, `?` and `[…]` as in file names; `nil` for any.
  public var product: String?
  /// The USB serial number; `nil` for any.
  public var serial: String?
  /// Where it is plugged in, such as `usb-0000:00:14.0-1.2`, with `*`, `?` and `[…]`; `nil` for anywhere.
  public var socket: String?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name
    case product = "is"
    case serial
    case socket = "at"
  }

  private static let nameRule = NameRule(atMost: 63, .bytes)

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    name = try fields.decode(String.self, forKey: .name)
    product = try fields.decodeIfPresent(String.self, forKey: .product)
    serial = try fields.decodeIfPresent(String.self, forKey: .serial)
    socket = try fields.decodeIfPresent(String.self, forKey: .socket)
    if let remedy = Self.nameRule.remedy(for: name) {
      throw DecodingError.invalid(
        "it cannot be '\(name.quotable)': \(remedy)", at: decoder.codingPath + [CodingKeys.name])
    }
    if product == nil, serial == nil, socket == nil {
      throw DecodingError.invalid(
        "it names no keyboard: add is, serial or at, as portative devices shows them",
        at: decoder.codingPath)
    }
  }
}
