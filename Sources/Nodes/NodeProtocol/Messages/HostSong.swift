/// The transport that a host provided last.
public struct HostSong: Codable, Equatable, Sendable {
  public var isPlaying: Bool
  public var isRecording: Bool
  public var isLooping: Bool
  /// The position in quarter notes from the start of the song.
  public var beat: Double
  /// Quarter notes per minute.
  public var tempo: Double
  /// The time signature, such as `6/8`.
  public var meter: String

  public init(
    isPlaying: Bool, isRecording: Bool, isLooping: Bool, beat: Double, tempo: Double, meter: String
  ) {
    self.isPlaying = isPlaying
    self.isRecording = isRecording
    self.isLooping = isLooping
    self.beat = beat
    self.tempo = tempo
    self.meter = meter
  }
}
