public import FluidSynthEngine
public import MIDIFile

/// What is to be known of a rendered song.
public struct SongReport: Sendable {
  public var audio = AudioFigures()
  /// What was done to make it as loud as was asked for.
  public var normalization: Normalization.Outcome?
  public var statistics = Statistics()
  /// Where there are stems.
  public var stems: StemsReport?
  /// How many of its notes were rendered once for several; none in `stock`.
  public var cacheFigures = CacheFigures()
  /// Presets that the song asked for and the SoundFont does not have.
  public var substitutions: [PresetSubstitution] = []
  /// Notes released because the song was over.
  public var unreleasedNotes = 0
  /// What was mended in the file; see also ``unlistedRepairs``.
  public var repairs: [Repair] = []
  public var unlistedRepairs = 0
  /// Whether the tail was cut at ``RenderSettings/maximumTail``.
  public var isTailCut = false

  public init() {}
}

/// What is to be known of a song's stems.
public struct StemsReport: Sendable {
  public var stems: [Stem] = []
  /// Samples of stems that were clipped: there the integers of the files do not add up to the mix's.
  public var clippedSamples = 0
  /// Files that were in the folder and are no stems of this song: of an earlier rendering, perhaps.
  public var otherFiles = 0

  /// A stem and its file.
  public struct Stem: Sendable {
    /// As the SoundFont, the song or its place has it; `wet` and `rest` for what is no stem.
    public var name: String
    /// The file's path.
    public var path: String
    /// Without loudness and true peak; hash and size are known at the end.
    public var audio = AudioFigures()
  }
}
