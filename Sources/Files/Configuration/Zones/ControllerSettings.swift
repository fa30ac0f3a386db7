/// The messages that pass besides notes: `"all"`, `"none"`, or a list of controllers 0…119, `"bend"`, `"pressure"` and
/// `"program"`.
public enum ControllerSettings: Decodable, Equatable, Sendable {
  case all
  case only([Message])

  public enum Message: Equatable, Sendable {
    case controller(UInt8)
    case bend, pressure, program
  }

  public init(from decoder: any Decoder) throws {
    if let word = try? decoder.singleValueContainer().decode(String.self) {
      switch word {
      case "all": self = .all
      case "none": self = .only([])
      default:
        throw DecodingError.invalid(
          "it must be all, none or a list, but is '\(word)'", at: decoder.codingPath)
      }
      return
    }
    self = .only(try decoder.singleValueContainer().decode([Message].self))
  }
}

extension ControllerSettings.Message: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    switch try? container.decode(String.self) {
    case "bend": self = .bend
    case "pressure": self = .pressure
    case "program": self = .program
    case let word?:
      throw DecodingError.invalid(
        "it must be a controller, bend, pressure or program, but is '\(word)'",
        at: decoder.codingPath)
    case nil:
      let number = try container.decode(Double.self)
      guard let controller = UInt8(exactly: number), controller < 120 else {
        throw DecodingError.invalid(
          "a controller must be 0 to 119, but is \(number)", at: decoder.codingPath)
      }
      self = .controller(controller)
    }
  }
}
