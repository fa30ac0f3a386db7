public import FluidSynthEngine

/// The settings for rendering a song.
public struct RenderSettings: Sendable {
  /// Frames per second: 8000…96000.
  public var sampleRate = 48_000
  public var timing = Timing.exact
  /// The linear gain; 0.2 is FluidSynth's default.
  public var gain = 0.2
  /// The greatest number of notes, or of voices in `stock`, that sound at once: 1…4096.
  public var polyphony = 256
  public var effects = Effects()
  /// One of ``ReverbEngines``; `nil` is the library's default.
  public var reverbEngine: String?
  /// Whether a SoundFont in the file of a song plays its presets.
  public var usesEmbeddedSoundFont = true
  /// How bank selects and System Exclusive messages choose presets.
  public var bankStyle = BankStyle.auto
  /// Parameters of the instrument by identifier, as of an `InstrumentUnit` with these settings; without the gain.
  package var parameters: [String: Float] = [:]
  public var tail = Tail.silence
  /// The greatest length of the tail, in seconds: 0 or more.
  public var maximumTail = 30.0
  /// What is played differently from the file.
  package var changes = SongChanges()
  /// The start of the range. The output is identical to that part of the whole song,
  /// including sounding earlier notes, pedals, controllers and reverb.
  public var start = Position.seconds(0)
  /// The seconds before ``start`` from which on reverb and chorus receive sound; `nil`: all of the song before it. The dry sound is
  /// that of the whole song either way. In `exact` only.
  public var lead: Double?
  /// The end of the range; `nil` is the end of the song.
  public var end: Position?
  /// The seconds in which the sound rises from silence, after ``start``.
  public var fadeIn = 0.0
  /// The seconds in which the sound falls to silence, before ``end``. Then there is no tail.
  public var fadeOut = 0.0
  /// The greatest length from start to end, in seconds; longer songs are rejected. `nil` is unlimited.
  public var maximumLength: Double?
  /// The greatest number of frames from ``start`` on, after which there is no tail; `nil` is unlimited.
  package var frameLimit: Int?
  /// How often the loop of a song is played that marks one: 1 or more.
  public var loops = 1
  /// The length of a fade, in seconds, during which the loop of a song goes on after ``loops``, and after which the song
  /// ends; `nil`: the song plays to its end.
  public var fade: Double?
  /// The target level; `nil` leaves the level unchanged.
  public var normalization: Normalization?
  /// The number of rendering threads in `exact`, 1…64. It does not affect the output.
  public var threads = 1
  /// The memory for caching recurring notes in `exact`, in bytes, unless ``SharedRenderResources`` set it; 0 disables
  /// the cache. It does not affect the output.
  public var cacheBytes = 16 << 20

  /// The end of the tail after the song.
  public enum Tail: Equatable, Sendable {
    /// At the end of the song.
    case exact
    /// After the last frame above −90 dBFS: when no voice is active and a second is silent.
    case silence
    /// At the next bar line at or after the end of the song.
    case bar
    case seconds(Double)
  }

  /// A time of the song, as it is played.
  public enum Position: Equatable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral
  {
    case seconds(Double)
    /// The beginning of a beat, a note of the denominator of the time signature. Both are numbered from 1.
    case bar(Int, beat: Int = 1)

    public init(floatLiteral seconds: Double) { self = .seconds(seconds) }
    public init(integerLiteral seconds: Int) { self = .seconds(Double(seconds)) }

    var seconds: Double? {
      if case .seconds(let seconds) = self { seconds } else { nil }
    }
  }

  public init() {}
}
