import Options

/// The value of a field of a line.
enum ManifestValue: Decodable, CustomStringConvertible {
  case text(String)
  case number(Double)
  case boolean(Bool)
  case null

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let isOn = try? container.decode(Bool.self) {
      self = .boolean(isOn)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  var description: String {
    switch self {
    case .text(let text): "'\(text)'"
    case .number(let number): OptionValue.brief(number)
    case .boolean(let isOn): "\(isOn)"
    case .null: "null"
    }
  }
}
