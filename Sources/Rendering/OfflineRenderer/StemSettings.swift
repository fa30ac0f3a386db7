public import AudioFile

/// The settings of a song's stems.
public struct StemSettings: Sendable {
  public var grouping: StemGrouping
  /// The folder of the stems' files; created if it does not exist.
  public var folder: String
  /// The format of the mix and of each stem.
  public var format: AudioFormat
  /// The seed of the mix; see ``AudioFileWriter``. The seed of each stem is derived from it.
  public var seed: UInt64
  /// Where the stems' files must be, and what they may replace.
  public var rules: OutputRules

  public init(
    grouping: StemGrouping, folder: String, format: AudioFormat, seed: UInt64 = 0,
    rules: OutputRules = OutputRules()
  ) {
    self.grouping = grouping
    self.folder = folder
    self.format = format
    self.seed = seed
    self.rules = rules
  }
}

/// The grouping of notes into stems.
public enum StemGrouping: String, CaseIterable, Sendable {
  /// One stem per MIDI channel.
  case channel
  /// One stem per track of the file.
  case track
  /// A file for each note, and one stem with all of them.
  case note
}
