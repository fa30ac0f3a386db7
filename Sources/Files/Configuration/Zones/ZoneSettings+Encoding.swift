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
    try fields.encodeIfPresent(invertPedal, forKey: .invertPedal)
    try fields.encodeIfPresent(mode?.rawValue, forKey: .mode)
    try sound.encode(to: encoder)
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
