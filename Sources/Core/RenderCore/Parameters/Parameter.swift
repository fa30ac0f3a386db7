/// The description of a value of a unit that its host can set: identifier, name, unit and range.
public struct Parameter: Codable, Equatable, Sendable {
  /// The identifier in saved states and in programs, the same in every later version: words of lower-case
  /// letters, digits and `-`, with a dot between the group and the parameter, as in `reverb.room`.
  public let identifier: String
  /// The name that is shown to the user.
  public let name: String
  public let unit: Unit
  public let minimum: Float
  public let maximum: Float
  public let defaultValue: Float
  public let scale: Scale
  /// The names of the whole numbers from ``minimum`` to ``maximum``; empty if the value is shown as a number.
  public let valueNames: [String]

  /// The unit of measurement of a parameter.
  public enum Unit: String, CaseIterable, Codable, Sendable {
    case none, decibels, milliseconds, seconds, beats, hertz, percent, cents, semitones
    /// A whole number.
    case index
    /// 0 or 1.
    case toggle

    /// The symbol that follows the number in text; empty if there is none.
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

  /// The mapping from a control's position to a value.
  public enum Scale: String, CaseIterable, Codable, Sendable {
    case linear
    /// Equal distances are equal ratios. The range is above 0.
    case logarithmic
  }

  /// - Precondition: The default is in the range, the range is within ±10⁹ and above 0 if it is logarithmic, and
  ///   there is one name for each value or none at all.
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

  /// - Throws: `DecodingError` if the default is out of range, the range exceeds ±10⁹, a logarithmic range is not
  ///   above 0, or the number of names differs from the number of values.
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

  /// Makes a parameter of unchecked values.
  ///
  /// - Returns: `nil` if the precondition of the other initializer is not met.
  package init?(
    checked identifier: String, _ name: String, _ range: ClosedRange<Float>,
    default defaultValue: Float, unit: Unit, scale: Scale, valueNames: [String]
  ) {
    self.identifier = identifier
    self.name = name
    minimum = range.lowerBound
    maximum = range.upperBound
    self.defaultValue = defaultValue
    self.unit = unit
    self.scale = scale
    self.valueNames = valueNames
    if flaw != nil { return nil }
  }

  /// The reason why the description is invalid; `nil` if it is valid.
  private var flaw: String? {
    // Each comparison is false for NaN.
    guard minimum <= defaultValue, defaultValue <= maximum else {
      return "the default is out of range"
    }
    guard minimum > -1e9, maximum < 1e9 else { return "the range is too wide" }
    guard scale == .linear || minimum > 0 else { return "a logarithmic range must be above 0" }
    guard valueNames.isEmpty || valueNames.count == Int(maximum - minimum) + 1 else {
      return "the number of names differs from the number of values"
    }
    return nil
  }

  /// Makes a parameter that is off or on.
  public init(toggle identifier: String, _ name: String, default isOn: Bool) {
    self.init(
      identifier, name, 0...1, default: isOn ? 1 : 0, unit: .toggle, valueNames: ["off", "on"])
  }

  /// Makes a parameter that selects one of several named values, numbered from 0.
  public init(choice identifier: String, _ name: String, of names: [String], default index: Int) {
    self.init(
      identifier, name, 0...Float(names.count - 1), default: Float(index), unit: .index,
      valueNames: names)
  }

  /// The identifier of the parameter's group, which is the part before the last dot; `nil` without a group.
  package var group: String? {
    identifier.lastIndex(of: ".").map { String(identifier[..<$0]) }
  }

  /// Whether the value is always a whole number and changes without a ramp.
  public var isStepped: Bool { unit == .index || unit == .toggle }

  /// Checks that a value is in the range.
  ///
  /// - Throws: ``ParameterError`` if the value is out of range or NaN.
  public func check(_ value: Float) throws(ParameterError) {
    // Both comparisons are false for NaN.
    guard value >= minimum, value <= maximum else { throw .outOfRange(self, value) }
  }
}
