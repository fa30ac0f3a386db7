import LocalSystem

/// The keyboard settings of the configuration file.
public struct MIDISettings: Decodable, Equatable, Sendable {
  public var connect: Connect?
  /// The names of keyboards to ignore, with `*`, `?` and `[…]` as in file names.
  public var ignore: [String]?

  /// The keyboards that are connected automatically, apart from those that a port lists or the user has connected.
  public enum Connect: String, CaseIterable, Sendable {
    /// All hardware devices; the default.
    case hardware
    case nothing = "none"
  }

  /// The names that the user gives to keyboards.
  public var names: [KeyboardNameSettings]?

  enum CodingKeys: String, CodingKey, CaseIterable { case connect, ignore, names }

  static let shape = JSON5Shape.object(
    CodingKeys.self, [.names: .list(of: .object(KeyboardNameSettings.CodingKeys.self))])

  public init() {}

  /// Fills in unset fields from a file of lower precedence.
  mutating func fill(from weaker: MIDISettings?) {
    connect = connect ?? weaker?.connect
    ignore = ignore ?? weaker?.ignore
    names = names ?? weaker?.names
  }
}

extension MIDISettings.Connect: Decodable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let choice = Self(rawValue: text) else {
      let words = Self.allCases.map(\.rawValue).joined(separator: " or ")
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: "it must be \(words), but is '\(text)'")
      )
    }
    self = choice
  }
}
