import LocalSystem

/// What a scene sends to a channel of a module when it is chosen:
/// `{ output: "Module", channel: 2, bank: [87, 64], program: 12, controllers: { "7": 100 } }`.
public struct SentSettings: Codable, Equatable, Sendable {
  /// The name of an output.
  public var output: String
  /// 1…16; the default is 1.
  public var channel: Int?
  /// The values of controllers 0 and, if there are two, 32.
  public var bank: [Int]?
  /// 0…127.
  public var program: Int?
  /// Values 0…127 by the numbers of controllers, 0…119.
  public var controllers: [UInt8: UInt8]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case output, channel, bank, program, controllers
  }

  static let shape = JSON5Shape.object(CodingKeys.self)

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    output = try fields.decode(String.self, forKey: .output)
    channel = try fields.integer(.channel, in: 1...16)
    program = try fields.integer(.program, in: 0...127)
    bank = try Self.bank(fields)
    controllers = try Self.controllers(fields)
  }

  /// Reads a number or a list of two.
  private static func bank(_ fields: KeyedDecodingContainer<CodingKeys>) throws -> [Int]? {
    guard fields.contains(.bank) else { return nil }
    if (try? fields.decode(Double.self, forKey: .bank)) != nil {
      return try fields.integer(.bank, in: 0...127).map { [$0] }
    }
    let values = try fields.decode([Double].self, forKey: .bank)
    let bank = values.compactMap { Int(exactly: $0) }.filter { 0...127 ~= $0 }
    if values.count == 2, bank.count == 2 { return bank }
    throw DecodingError.invalid(
      "it must be the value of controller 0, or the values of controllers 0 and 32 as in [87, 64], each 0 to 127",
      at: fields.codingPath + [CodingKeys.bank])
  }

  private static func controllers(
    _ fields: KeyedDecodingContainer<CodingKeys>
  ) throws -> [UInt8: UInt8] {
    let texts = try fields.decodeIfPresent([String: Double].self, forKey: .controllers) ?? [:]
    var values: [UInt8: UInt8] = [:]
    for (text, number) in texts {
      guard let controller = UInt8(text), controller < 120, let value = UInt8(exactly: number),
        value < 128
      else {
        throw DecodingError.invalid(
          "it must have values 0 to 127 of controllers 0 to 119, but has \(text): \(number)",
          at: fields.codingPath + [CodingKeys.controllers])
      }
      values[controller] = value
    }
    return values
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(output, forKey: .output)
    try fields.encodeIfPresent(channel, forKey: .channel)
    if let bank {
      if bank.count == 1 {
        try fields.encode(bank[0], forKey: .bank)
      } else {
        try fields.encode(bank, forKey: .bank)
      }
    }
    try fields.encodeIfPresent(program, forKey: .program)
    if controllers.isEmpty { return }
    let texts = controllers.map { (String($0), $1) }
    try fields.encode(Dictionary(texts) { $1 }, forKey: .controllers)
  }
}
