import LocalSystem

/// A MIDI output of the configuration file: a port through which zones and scenes play modules and other programs.
public struct OutputSettings: Decodable, Equatable, Sendable {
  public var name: String
  /// The names of the modules to connect when they appear, with `*`, `?` and `[…]` as in file names; the default is none.
  public var connect: [String]

  enum CodingKeys: String, CodingKey, CaseIterable { case name, connect }

  /// The greatest number of outputs of a file.
  package static let maximumCount = 64
  private static let nameRule = NameRule(atMost: 63, .bytes)

  package init(name: String, connect: [String] = []) {
    self.name = name
    self.connect = connect
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    name = try fields.decode(String.self, forKey: .name)
    connect = try fields.decodeIfPresent([String].self, forKey: .connect) ?? []
    guard let remedy = Self.nameRule.remedy(for: name) else { return }
    throw DecodingError.invalid(
      "it cannot be '\(name.quotable)': \(remedy)", at: decoder.codingPath + [CodingKeys.name])
  }
}
