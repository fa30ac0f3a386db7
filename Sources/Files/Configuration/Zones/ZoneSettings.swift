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
  /// The controllers that act as others.
  public var routes: [ControllerRouteSettings]?
  public var invertPedal: Bool?
  public var mode: Mode?
  public var portamento: PortamentoSettings?
  public var sound = SoundSettings()
  /// The name of the MIDI output through which a module plays the zone; the default is none.
  public var output: String?
  /// The channel on which the module plays, 1…16; the default is that of the keyboard.
  public var outputChannel: Int?

  public enum Mode: String, CaseIterable, Sendable { case poly, mono, legato }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case keyboards, channel, keys, velocities, transpose, velocity, controllers, routes
    case invertPedal, mode, portamento
    case soundfont, preset, parameters, level, pan, output, outputChannel
  }

  static let shape = JSON5Shape.object(
    CodingKeys.self,
    [
      .preset: .object(PresetName.CodingKeys.self),
      .routes: .list(of: ControllerRouteSettings.shape),
      .portamento: PortamentoSettings.shape,
    ])

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
    routes = try fields.decodeIfPresent([ControllerRouteSettings].self, forKey: .routes)
    invertPedal = try fields.decodeIfPresent(Bool.self, forKey: .invertPedal)
    mode = try fields.decodeIfPresent(Mode.self, forKey: .mode)
    portamento = try fields.decodeIfPresent(PortamentoSettings.self, forKey: .portamento)
    sound = try SoundSettings(from: decoder)
    output = try fields.decodeIfPresent(String.self, forKey: .output)
    outputChannel = try fields.integer(.outputChannel, in: 1...16)
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

// Encoding in the notation that is read. A range of keys has the names of its ends.

extension ZoneSettings: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encodeIfPresent(keyboards, forKey: .keyboards)
    try fields.encodeIfPresent(channel, forKey: .channel)
    try fields.encodeIfPresent(keys, forKey: .keys)
    try fields.encodeIfPresent(velocities, forKey: .velocities)
    try fields.encodeIfPresent(transpose, forKey: .transpose)
    try fields.encodeIfPresent(velocity, forKey: .velocity)
    try fields.encodeIfPresent(controllers, forKey: .controllers)
    try fields.encodeIfPresent(routes, forKey: .routes)
    try fields.encodeIfPresent(invertPedal, forKey: .invertPedal)
    try fields.encodeIfPresent(mode?.rawValue, forKey: .mode)
    try fields.encodeIfPresent(portamento, forKey: .portamento)
    try sound.encode(to: encoder)
    try fields.encodeIfPresent(output, forKey: .output)
    try fields.encodeIfPresent(outputChannel, forKey: .outputChannel)
  }
}

extension PresetName: Encodable {
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .name(let name):
      var container = encoder.singleValueContainer()
      try container.encode(name)
    case .number(let bank, let program):
      var fields = encoder.container(keyedBy: CodingKeys.self)
      try fields.encode(bank, forKey: .bank)
      try fields.encode(program, forKey: .program)
    }
  }
}

extension KeyRange: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(NoteName.name(keys.lowerBound))..\(NoteName.name(keys.upperBound))")
  }
}

extension VelocityRange: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode([velocities.lowerBound, velocities.upperBound])
  }
}

extension VelocitySettings: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .named(let name): try container.encode(name.rawValue)
    case .points(let points): try container.encode(points)
    }
  }
}

extension ControllerSettings: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .all: try container.encode("all")
    case .only(let messages): try container.encode(messages)
    }
  }
}

extension ControllerSettings.Message: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .controller(let number): try container.encode(number)
    case .bend: try container.encode("bend")
    case .pressure: try container.encode("pressure")
    case .program: try container.encode("program")
    }
  }
}

extension ScenePortSettings: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encodeIfPresent(zones, forKey: .zones)
    try sound.encode(to: encoder)
  }
}
