/// Something about a unit that its host can set: what it is called, and what it may be.
public struct Parameter: Codable, Equatable, Sendable {
  /// By which states and programs know it, in this and every later version: words of small letters, digits and
  /// `-`, with a dot between group and parameter, as in `reverb.room`.
  public let identifier: String
  /// What people call it.
  public let name: String
  public let unit: Unit
  public let minimum: Float
  public let maximum: Float
  public let defaultValue: Float
  public let scale: Scale
  /// What each whole number from ``minimum`` on is called; empty where it is a number.
  public let valueNames: [String]

  /// What its number counts.
  public enum Unit: String, Codable, Sendable {
    case none, decibels, milliseconds, seconds, beats, hertz, percent, cents, semitones
    /// A whole number.
    case index
    /// 0 or 1.
    case toggle

    /// As it is written after a number.
    public var symbol: String {
      switch self {
      case .decibels: "dB"
      case .milliseconds: "ms"
      case .seconds: "s"
      case .beats: "beats"
      case .hertz: "Hz"
      case .percent: "%"
      case .cents: "cents"
      case .semitones: "semitones"
      case .none, .index, .toggle: ""
      }
    }
  }

  /// How its range lies on a knob.
  public enum Scale: String, Codable, Sendable {
    case linear
    /// Equal ratios at equal distances; the range is above 0.
    case logarithmic
  }

  public init(
    _ identifier: String, _ name: String, _ range: ClosedRange<Float>, default defaultValue: Float,
    unit: Unit = .none, scale: Scale = .linear, valueNames: [String] = []
  ) {
    self.identifier = identifier
    self.name = name
    minimum = range.lowerBound
    maximum = range.upperBound
    self.defaultValue = defaultValue
    self.unit = unit
    self.scale = scale
    self.valueNames = valueNames
    if let flaw { preconditionFailure("\(identifier): \(flaw)") }
  }

  /// - Throws: `DecodingError` where a range has no room for the default, is too wide, or has no logarithm, or where
  ///   not each value has its name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    identifier = try container.decode(String.self, forKey: .identifier)
    name = try container.decode(String.self, forKey: .name)
    unit = try container.decode(Unit.self, forKey: .unit)
    minimum = try container.decode(Float.self, forKey: .minimum)
    maximum = try container.decode(Float.self, forKey: .maximum)
    defaultValue = try container.decode(Float.self, forKey: .defaultValue)
    scale = try container.decode(Scale.self, forKey: .scale)
    valueNames = try container.decode([String].self, forKey: .valueNames)
    if let flaw {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: flaw))
    }
  }

  /// Why there can be no such parameter; `nil` if there can.
  private var flaw: String? {
    // Each is false for NaN as well.
    guard minimum <= defaultValue, defaultValue <= maximum else {
      return "the default is out of range"
    }
    guard minimum > -1e9, maximum < 1e9 else { return "the range is too wide" }
    guard scale == .linear || minimum > 0 else { return "the range has no logarithm" }
    guard valueNames.isEmpty || valueNames.count == Int(maximum - minimum) + 1 else {
      return "it has more or fewer names than values"
    }
    return nil
  }

  /// One that is off or on.
  public init(toggle identifier: String, _ name: String, default isOn: Bool) {
    self.init(
      identifier, name, 0...1, default: isOn ? 1 : 0, unit: .toggle, valueNames: ["off", "on"])
  }

  /// One of several things, which are numbered from 0.
  public init(choice identifier: String, _ name: String, of names: [String], default index: Int) {
    self.init(
      identifier, name, 0...Float(names.count - 1), default: Float(index), unit: .index,
      valueNames: names)
  }

  /// Whether it jumps from one whole number to the next, instead of gliding.
  public var isStepped: Bool { unit == .index || unit == .toggle }

  /// - Throws: ``ParameterError`` where the value is out of range or no number.
  public func check(_ value: Float) throws(ParameterError) {
    // False for NaN as well.
    guard value >= minimum, value <= maximum else { throw .outOfRange(self, value) }
  }
}
