public import AudioFile

/// What a song's stems are, and where they go.
public struct StemSettings: Sendable {
  public var grouping: StemGrouping
  /// The folder that the stems' files go into; it is made if it is not there.
  public var folder: String
  /// Of the mix and of each stem.
  public var format: AudioFormat
  /// The mix's; see ``AudioFileWriter``. Each stem has one of its own, made of it.
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

/// Which notes go into one stem.
public enum StemGrouping: String, CaseIterable, Sendable {
  /// Those of one MIDI channel.
  case channel
  /// Those of one track of the file.
  case track
}
