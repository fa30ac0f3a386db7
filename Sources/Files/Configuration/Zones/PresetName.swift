/// A preset by its name, or by its bank and program.
public enum PresetName: Decodable, Hashable, Sendable {
  /// The whole name, or words that only one preset has.
  case name(String)
  case number(bank: Int, program: Int)

  enum CodingKeys: String, CodingKey, CaseIterable { case bank, program }

  public init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      self = .name(name)
      return
    }
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self = .number(
      bank: try fields.decode(Int.self, forKey: .bank),
      program: try fields.decode(Int.self, forKey: .program))
  }
}
