public import FluidSynthEngine
public import MIDIFile

/// A report on a rendered song.
public struct SongReport: Sendable {
  public var audio = AudioFigures()
  /// The applied normalization; `nil` if none was requested.
  public var normalization: Normalization.Outcome?
  public var statistics = Statistics()
  /// The report on the stems; `nil` if there are none.
  public var stems: StemsReport?
  /// The figures of the note cache; empty in `stock`.
  public var cacheFigures = CacheFigures()
  /// Presets that the song selects but the SoundFont lacks.
  public var substitutions: [PresetSubstitution] = []
  /// The ports of the song, each with sixteen channels of its own.
  public var ports: [Timeline.Port] = []
  /// Messages of the song that have no effect; empty if another process plays it.
  public var ignored: [IgnoredMessages] = []
  /// The use of the SoundFont in the file; `nil` if there is none.
  public var embeddedSoundFont: EmbeddedSoundFontReport?
  /// The loop that the file marks; `nil` if it marks none.
  public var loop: Loop?

  /// A loop of a song.
  public struct Loop: Equatable, Sendable {
    /// Seconds of the song when it is played once.
    public var start: Double
    public var end: Double
    /// The convention that marks it, such as `loopStart` or `CC 111`.
    public var convention: String
    /// How often it was played, without a fade.
    public var count: Int
  }

  /// The number of notes that had to be released at the end of the song.
  public var unreleasedNotes = 0
  /// The repairs of the file and of the order in its ticks; see also ``unlistedRepairs``.
  public var repairs: [Repair] = []
  public var unlistedRepairs = 0
  /// Whether the tail was cut at ``RenderSettings/maximumTail``.
  public var isTailCut = false

  /// The recorded notes, until the labels are made.
  package var loggedNotes: [LoggedNote] = []
  var loggedReturns: [[LoggedNote]] = []

  public init() {}

  /// Describes a song before it is played: its repairs, ports and loop, and its SoundFont, which is not used until the
  /// contrary is reported.
  package mutating func describe(_ song: borrowing StandardMIDIFile, _ range: FrameRange) {
    embeddedSoundFont = song.embeddedSoundFont.map {
      EmbeddedSoundFontReport(isUsed: false, bankOffset: $0.bankOffset)
    }
    repairs = song.repairs + range.timeline.repairs
    unlistedRepairs = song.unlistedRepairCount
    ports = range.timeline.ports
    loop = range.loop
  }
}

/// A report on the SoundFont in the file of a song.
public struct EmbeddedSoundFontReport: Equatable, Sendable {
  public var isUsed: Bool
  /// Added to its banks.
  public var bankOffset: Int
  /// The reason why it is unusable; `nil` if it is used, or if that was not requested.
  public var fault: String?
}

/// A report on a song's stems.
public struct StemsReport: Sendable {
  public var stems: [Stem] = []
  /// The number of clipped stem samples, at which the stems do not add up to the mix.
  public var clippedSamples = 0
  /// The number of files in the folder that are not stems of this song, possibly of an earlier rendering.
  public var otherFiles = 0

  /// A stem and its file.
  public struct Stem: Sendable {
    /// The name from the SoundFont or the song, or by its number; `wet` and `rest` for the remaining audio.
    public var name: String
    /// The path of the file.
    public var path: String
    /// The channel that it is, 0…15, and its port in ``SongReport/ports``; `nil` for other stems.
    public var channel: Int?
    public var port: Int?
    /// The figures without loudness and true peak; hash and size are only set at the end.
    public var audio = AudioFigures()
  }
}
