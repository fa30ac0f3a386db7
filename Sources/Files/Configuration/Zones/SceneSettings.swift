package import LocalSystem

/// A scene of the configuration file: what keyboards play on the ports after it has been chosen.
public struct SceneSettings: Codable, Equatable, Sendable {
  public var name: String
  /// By the names of the ports. Ports that are not named play as without a scene.
  public var ports: [String: ScenePortSettings]
  /// In semitones, −127…127, for all ports, drums excepted.
  public var transpose: Int?
  /// What the player wants to read: words, chords, remarks.
  public var text: String?
  /// What becomes of held notes when the scene is chosen; they sound on by default.
  public var held: Held?
  /// What modules receive when the scene is chosen.
  public var send: [SentSettings]?
  /// The song that plays beside the keyboards; `nil`: what plays goes on.
  public var track: SceneTrack?
  /// Of the song and the metronome, in quarter notes per minute, 20…400; `nil`: that of the song.
  public var tempo: Double?
  /// Whether the metronome clicks; `nil`: as before.
  public var click: Bool?

  public enum Held: String, CaseIterable, Codable, Sendable {
    /// They sound until they are released.
    case hold
    case end
    /// The next note ends them.
    case next
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, ports, transpose, text, held, send, track, tempo, click
  }

  /// The greatest number of characters of ``text``.
  static let maximumText = 2000

  private static let nameRule = NameRule(atMost: 64, .characters)

  /// The greatest number of scenes of a file.
  package static let maximumCount = 4096

  /// - Throws: ``Failure/Kind/usage`` if a scene cannot have the name.
  package static func check(name: String) throws(Failure) {
    guard let remedy = nameRule.remedy(for: name) else { return }
    throw .usage("the name of a scene cannot be '\(name.quotable)': \(remedy)")
  }

  package init(name: String, ports: [String: ScenePortSettings]) {
    self.name = name
    self.ports = ports
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    name = try fields.decode(String.self, forKey: .name)
    if let remedy = Self.nameRule.remedy(for: name) {
      throw DecodingError.invalid(
        "it cannot be '\(name.quotable)': \(remedy)", at: decoder.codingPath + [CodingKeys.name])
    }
    ports = try fields.decodeIfPresent([String: ScenePortSettings].self, forKey: .ports) ?? [:]
    transpose = try fields.integer(.transpose, in: -127...127)
    held = try fields.decodeIfPresent(String.self, forKey: .held).map { word in
      guard let held = Held(rawValue: word) else {
        throw DecodingError.invalid(
          "it must be hold, end or next, but is '\(word)'",
          at: decoder.codingPath + [CodingKeys.held])
      }
      return held
    }
    send = try fields.decodeIfPresent([SentSettings].self, forKey: .send)
    track = try fields.decodeIfPresent(SceneTrack.self, forKey: .track)
    tempo = try fields.number(.tempo, in: 20...400)
    click = try fields.decodeIfPresent(Bool.self, forKey: .click)
    text = try fields.decodeIfPresent(String.self, forKey: .text)
    if let text, text.count > Self.maximumText {
      throw DecodingError.invalid(
        "it can have \(Self.maximumText) characters, but has \(text.count)",
        at: decoder.codingPath + [CodingKeys.text])
    }
  }

  static let shape = JSON5Shape.object(
    CodingKeys.self,
    [
      .ports: .dictionary(of: ScenePortSettings.shape),
      .send: .list(of: SentSettings.shape), .track: TrackSettings.shape,
    ])
}

/// The zones that keyboards play on a port in a scene.
public struct ScenePortSettings: Decodable, Equatable, Sendable {
  /// The default is one zone for the whole keyboard.
  public var zones: [ZoneSettings]?
  /// The sound of zones that do not set it.
  public var sound: SoundSettings

  enum CodingKeys: String, CodingKey, CaseIterable {
    case zones, soundfont, preset, parameters, level, pan
  }

  static let shape = JSON5Shape.object(
    CodingKeys.self,
    [.zones: .list(of: ZoneSettings.shape), .preset: .object(PresetName.CodingKeys.self)])

  package init(zones: [ZoneSettings]) {
    self.zones = zones
    sound = SoundSettings()
  }

  public init(from decoder: any Decoder) throws {
    zones = try decoder.container(keyedBy: CodingKeys.self)
      .decodeIfPresent([ZoneSettings].self, forKey: .zones)
    sound = try SoundSettings(from: decoder)
  }

  /// The zones, with all sounds filled in.
  public var filledZones: [ZoneSettings] {
    (zones ?? [ZoneSettings()]).map { zone in
      // A module has sounds of its own.
      if zone.output != nil { return zone }
      var zone = zone
      zone.sound = zone.sound.filled(from: sound)
      return zone
    }
  }
}
