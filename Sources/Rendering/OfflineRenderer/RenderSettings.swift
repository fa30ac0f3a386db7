public import FluidSynthEngine

/// How a song is rendered.
public struct RenderSettings: Sendable {
  /// Frames per second: 8000…96000.
  public var sampleRate = 48_000
  public var timing = Timing.exact
  /// Linear; 0.2 is FluidSynth's default.
  public var gain = 0.2
  public var effects = Effects()
  /// Of ``ReverbEngines``; `nil` is the library's default.
  public var reverbEngine: String?
  public var tail = Tail.silence
  /// Seconds after the end of the song at which the tail ends at the latest: 0 or more.
  public var maximumTail = 30.0
  /// Seconds of the song to begin with. What comes out is the very sound that the whole song has
  /// there: earlier notes that still sound, pedals, controllers and reverb included.
  public var start = 0.0
  /// Seconds of the song to end with; `nil` is its end.
  public var end: Double?
  /// Seconds that the part from start to end may have: a song that is longer is refused; `nil` is any.
  public var maximumLength: Double?
  /// How loud it is made to be; `nil` is as it was rendered.
  public var normalization: Normalization?
  /// How many threads render in `exact`: 1…64. The bits do not depend on it.
  public var threads = 1
  /// How many bytes of memory may hold notes that come again in a song, so that each is rendered
  /// once, in `exact`, where no ``SongWorkshop`` says; 0 is none. The bits do not depend on it.
  public var cacheBytes = 16 << 20

  /// When the sound after the end of the song is over.
  public enum Tail: Equatable, Sendable {
    /// With the end of the song.
    case exact
    /// After the last frame above −90 dBFS.
    case silence
    /// At the next bar line at or after the end of the song.
    case bar
    case seconds(Double)
  }

  public init() {}
}
