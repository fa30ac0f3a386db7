/// What becomes of keyboards, in the words of the configuration file.
public struct MIDISettings: Decodable, Equatable, Sendable {
  public var connect: Connect?
  /// Those that are left alone, by name, with `*`, `?` and `[…]` as in file names.
  public var ignore: [String]?

  /// What is connected that no port lists and nobody has wired.
  public enum Connect: String, CaseIterable, Sendable {
    /// Every device; what a file leaves out.
    case hardware
    case nothing = "none"
  }

  enum CodingKeys: String, CodingKey, CaseIterable { case connect, ignore }

  public init() {}

  /// Takes what nothing stronger has said.
  mutating func fill(from weaker: MIDISettings?) {
    connect = connect ?? weaker?.connect
    ignore = ignore ?? weaker?.ignore
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
