import LocalSystem

/// A controller that acts as another one in a zone: `{ from: 2, to: 11, curve: "soft", range: [20, 127] }`.
public struct ControllerRouteSettings: Codable, Equatable, Sendable {
  public var from: Control
  public var to: Control
  public var curve: VelocitySettings?
  /// The values at 0 and 127, each 0…127. The first may be the greater one.
  public var range: [UInt8]?

  enum CodingKeys: String, CodingKey, CaseIterable { case from, to, curve, range }

  static let shape = JSON5Shape.object(CodingKeys.self)

  /// A controller 0…119 except 64…69, or `"pressure"`.
  public enum Control: Equatable, Sendable {
    case controller(UInt8)
    case pressure
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    from = try fields.decode(Control.self, forKey: .from)
    to = try fields.decode(Control.self, forKey: .to)
    curve = try fields.decodeIfPresent(VelocitySettings.self, forKey: .curve)
    let ends = try fields.decodeIfPresent([Double].self, forKey: .range)
    range = try ends?.map { end in
      guard let value = UInt8(exactly: end), value <= 127 else {
        throw DecodingError.invalid(
          "an end must be a whole number from 0 to 127, but is \(end)",
          at: decoder.codingPath + [CodingKeys.range])
      }
      return value
    }
    if let range, range.count != 2 {
      throw DecodingError.invalid(
        "it must be the values at 0 and at 127, as in [20, 127], but has \(range.count)",
        at: decoder.codingPath + [CodingKeys.range])
    }
  }
}

extension ControllerRouteSettings.Control: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let word = try? container.decode(String.self) {
      guard word == "pressure" else {
        throw DecodingError.invalid(
          "it must be a controller or pressure, but is '\(word)'", at: decoder.codingPath)
      }
      self = .pressure
      return
    }
    let number = try container.decode(Double.self)
    guard let controller = UInt8(exactly: number), controller < 120, !(64...69 ~= controller) else {
      throw DecodingError.invalid(
        "a controller must be 0 to 119 and not a pedal (64 to 69), but is \(number)",
        at: decoder.codingPath)
    }
    self = .controller(controller)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .controller(let number): try container.encode(number)
    case .pressure: try container.encode("pressure")
    }
  }
}
