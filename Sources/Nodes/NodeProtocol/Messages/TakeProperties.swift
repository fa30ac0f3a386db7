/// The properties of a file with the music that keyboards have played.
public struct TakeProperties: Codable, Equatable, Sendable {
  /// Frames per second of the sound device. An event's tick has the same number as its frame, or is the nearest to it.
  public var sampleRate: Int
  /// The ports that were played, and the sounds of their zones, each in a track of its own, after the first track.
  public var ports: [PlayedPort]
  /// The frame of the first note.
  public var firstNote: Int
  /// Whether one instrument played all of it, or several that began together, and none of their events before are missing.
  /// Instruments that begin to render with the file then render the bits that were heard, if the file keeps the silence
  /// before the first note.
  public var isWhole: Bool
  /// Whether events are missing, because the node was too slow to keep them.
  public var hasLosses: Bool
  /// The seconds for which the node keeps what was played; 0 if it records nothing.
  public var limit: Double

  public struct PlayedPort: Codable, Equatable, Sendable {
    public var name: String
    /// The name of the sound, if zones of the port were played; `nil`: the port's own instrument.
    public var sound: String?
    public var notes: Int
    /// The number of the unit that played the track, by which a host gets another one with its sound. Units were mixed in
    /// the order of their numbers; `nil` from a node of an earlier version.
    public var unit: Int?
    /// The factors of the left and right channels in the mix; `nil`: 1.
    public var left: Float?
    public var right: Float?

    public init(
      name: String, sound: String? = nil, notes: Int, unit: Int? = nil, left: Float? = nil,
      right: Float? = nil
    ) {
      self.name = name
      self.sound = sound
      self.notes = notes
      self.unit = unit
      self.left = left
      self.right = right
    }
  }

  public init(
    sampleRate: Int, ports: [PlayedPort], firstNote: Int, isWhole: Bool, hasLosses: Bool,
    limit: Double
  ) {
    self.sampleRate = sampleRate
    self.ports = ports
    self.firstNote = firstNote
    self.isWhole = isWhole
    self.hasLosses = hasLosses
    self.limit = limit
  }

  /// The properties without any note.
  public static func empty(limit: Double) -> Self {
    Self(sampleRate: 0, ports: [], firstNote: 0, isWhole: false, hasLosses: false, limit: limit)
  }
}
