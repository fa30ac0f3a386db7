public import FluidSynthInstrument
public import MIDIFile

/// What is to be known of a rendered song.
public struct SongReport: Sendable {
  public var audio = AudioFigures()
  public var statistics = Statistics()
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
