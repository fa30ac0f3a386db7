import LocalSystem

/// The song that plays beside the keyboards in a scene: `{ file: "verse.mid", countIn: 1 }`, or `"stop"`.
public enum SceneTrack: Codable, Equatable, Sendable {
  /// What plays is stopped.
  case stop
  case song(TrackSettings)

  public init(from decoder: any Decoder) throws {
    guard let word = try? decoder.singleValueContainer().decode(String.self) else {
      self = .song(try TrackSettings(from: decoder))
      return
    }
    guard word == "stop" else {
      throw DecodingError.invalid(
        "it must be \"stop\" or { file: \"PATH\" }, but is \"\(word)\"", at: decoder.codingPath)
    }
    self = .stop
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .stop:
      var container = encoder.singleValueContainer()
      try container.encode("stop")
    case .song(let settings): try settings.encode(to: encoder)
    }
  }

  func resolvingPaths(_ resolve: (String) -> String) -> Self {
    guard case .song(var settings) = self else { return self }
    settings.file = resolve(settings.file)
    return .song(settings)
  }
}

/// A song of a scene, and how it is played.
public struct TrackSettings: Codable, Equatable, Sendable {
  /// The path of a MIDI or audio file; relative to the configuration's folder, or with `~/`.
  public var file: String
  /// Whether it starts with the scene, the default, or by a control.
  public var start: Bool?
  /// The bars that are counted in before it, 0…16.
  public var countIn: Int?
  /// In decibels, −60…12.
  public var level: Double?
  /// In semitones, −36…36, drums excepted.
  public var transpose: Int?
  /// The channels that are not heard, 1…16.
  public var muted: [Int]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case file, start, countIn, level, transpose, muted
  }

  static let shape = JSON5Shape.object(CodingKeys.self)

  public init(file: String) { self.file = file }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    file = try fields.decode(String.self, forKey: .file)
    start = try fields.decodeIfPresent(Bool.self, forKey: .start)
    countIn = try fields.integer(.countIn, in: 0...16)
    level = try fields.number(.level, in: -60...12)
    transpose = try fields.integer(.transpose, in: -36...36)
    muted = try fields.decodeIfPresent([Double].self, forKey: .muted).map { numbers in
      let channels = numbers.compactMap { Int(exactly: $0) }.filter { 1...16 ~= $0 }
      if channels.count == numbers.count { return channels }
      throw DecodingError.invalid(
        "it must have the numbers of channels, 1 to 16",
        at: decoder.codingPath + [CodingKeys.muted])
    }
  }
}
