import LocalSystem

/// A zone of the configuration file: what one part of a keyboard plays.
public struct ZoneSettings: Decodable, Equatable, Sendable {
  /// The names of the keyboards, with `*`, `?` and `[…]` as in file names; the default is any.
  public var keyboards: [String]?
  /// The channel on which a keyboard plays, 1…16; the default is any.
  public var channel: Int?
  public var keys: KeyRange?
  public var velocities: VelocityRange?
  /// In semitones, −127…127.
  public var transpose: Int?
  public var velocity: VelocitySettings?
  public var controllers: ControllerSettings?
  public var invertPedal: Bool?
  public var mode: Mode?
  public var sound = SoundSettings()

  public enum Mode: String, CaseIterable, Sendable { case poly, mono, legato }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case keyboards, channel, keys, velocities, transpose, velocity, controllers, invertPedal, mode
    case soundfont, preset, parameters, level, pan
  }

  static let shape = JSON5Shape.object(
    CodingKeys.self, [.preset: .object(PresetName.CodingKeys.self)])

  public init() {}

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    keyboards = try fields.decodeIfPresent([String].self, forKey: .keyboards)
    channel = try fields.integer(.channel, in: 1...16)
    keys = try fields.decodeIfPresent(KeyRange.self, forKey: .keys)
    velocities = try fields.decodeIfPresent(VelocityRange.self, forKey: .velocities)
    transpose = try fields.integer(.transpose, in: -127...127)
    velocity = try fields.decodeIfPresent(VelocitySettings.self, forKey: .velocity)
    controllers = try fields.decodeIfPresent(ControllerSettings.self, forKey: .controllers)
    invertPedal = try fields.decodeIfPresent(Bool.self, forKey: .invertPedal)
    mode = try fields.decodeIfPresent(Mode.self, forKey: .mode)
    sound = try SoundSettings(from: decoder)
  }
}

/// What plays a zone. What is not set is that of the port.
public struct SoundSettings: Codable, Equatable, Sendable {
  /// The path of a SoundFont; relative to the configuration's folder, or with `~/`.
  public var soundfont: String?
  public var preset: PresetName?
  public var parameters: [String: Double]?
  /// In decibels, −60…12.
  public var level: Double?
  /// −100, left, to 100, right.
  public var pan: Double?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case soundfont, preset, parameters, level, pan
  }

  public init() {}

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    soundfont = try fields.decodeIfPresent(String.self, forKey: .soundfont)
    preset = try fields.decodeIfPresent(PresetName.self, forKey: .preset)
    parameters = try fields.decodeIfPresent([String: Double].self, forKey: .parameters)
    level = try fields.number(.level, in: -60...12)
    pan = try fields.number(.pan, in: -100...100)
  }

  /// Returns these settings, with those of another where they set nothing.
  public func filled(from weaker: SoundSettings) -> SoundSettings {
    var sound = self
    sound.soundfont = soundfont ?? weaker.soundfont
    sound.preset = preset ?? weaker.preset
    sound.level = level ?? weaker.level
    sound.pan = pan ?? weaker.pan
    if let parameters = weaker.parameters {
      sound.parameters = parameters.merging(self.parameters ?? [:]) { $1 }
    }
    return sound
  }
}

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

extension KeyedDecodingContainer {
  fileprivate func integer(_ key: Key, in range: ClosedRange<Int>) throws -> Int? {
    guard let value = try decodeIfPresent(Int.self, forKey: key) else { return nil }
    if range.contains(value) { return value }
    throw DecodingError.invalid(
      "it must be \(range.lowerBound) to \(range.upperBound), but is \(value)",
      at: codingPath + [key])
  }

  fileprivate func number(_ key: Key, in range: ClosedRange<Double>) throws -> Double? {
    guard let value = try decodeIfPresent(Double.self, forKey: key) else { return nil }
    if range.contains(value) { return value }
    throw DecodingError.invalid(
      "it must be \(Int(range.lowerBound)) to \(Int(range.upperBound)), but is \(value)",
      at: codingPath + [key])
  }
}

extension DecodingError {
  static func invalid(_ reason: String, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(.init(codingPath: path, debugDescription: reason))
  }
}

extension ZoneSettings.Mode: Decodable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let mode = Self(rawValue: text) else {
      throw DecodingError.invalid(
        "it must be poly, mono or legato, but is '\(text)'", at: decoder.codingPath)
    }
    self = mode
  }
}
