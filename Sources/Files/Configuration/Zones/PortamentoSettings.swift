import LocalSystem

/// How the notes of a zone glide: `{ time: 120 }` or `{ perOctave: 200, when: "legato" }`.
public struct PortamentoSettings: Codable, Equatable, Sendable {
  /// The milliseconds of each glide; `nil` if ``perOctave`` is set.
  public var time: Double?
  /// The milliseconds of each octave.
  public var perOctave: Double?
  public var when: Occasion?

  public enum Occasion: String, CaseIterable, Codable, Sendable { case always, legato }

  enum CodingKeys: String, CodingKey, CaseIterable { case time, perOctave, when }

  static let shape = JSON5Shape.object(CodingKeys.self)

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    time = try Self.milliseconds(fields, .time)
    perOctave = try Self.milliseconds(fields, .perOctave)
    if (time == nil) == (perOctave == nil) {
      throw DecodingError.invalid(
        "it must have time, the milliseconds of each glide, or perOctave, those of an octave",
        at: decoder.codingPath)
    }
    guard let word = try fields.decodeIfPresent(String.self, forKey: .when) else { return }
    when = Occasion(rawValue: word)
    if when == nil {
      throw DecodingError.invalid(
        "it must be always or legato, but is '\(word)'", at: decoder.codingPath + [CodingKeys.when])
    }
  }

  private static func milliseconds(
    _ fields: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
  ) throws -> Double? {
    let value = try fields.decodeIfPresent(Double.self, forKey: key)
    if let value, !(1...16_383 ~= value) {
      throw DecodingError.invalid(
        "it must be 1 to 16383 milliseconds, but is \(value)", at: fields.codingPath + [key])
    }
    return value
  }
}
