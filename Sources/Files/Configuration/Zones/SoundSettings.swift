/// The sound of a zone. Settings that are absent are those of the port.
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
